/**
 * The layers: what each folder may import. `npm run check` enforces it, and a test ensures that the rules still match
 * modules. A folder imports itself, packages, and what its line of `only` lists.
 */

/**
 * One folder may import only these others, beside itself and packages.
 * @param {string} folder
 * @param {string[]} others
 * @returns {import("dependency-cruiser").IForbiddenRuleType}
 */
const only = (folder, ...others) => ({
  name: `${folder.replaceAll("/", "-")}-depends-on-${others.length > 0 ? "few" : "nothing"}`,
  severity: "error",
  from: { path: `^${folder}/` },
  to: { path: "^(functions|lib|infra|test)/", pathNot: [`${folder}/`, ...others].map((path) => `^${path}`) },
});

/** Modules of `lib` that import nothing and belong to no folder. */
const shared = "lib/(clock|code-points).ts$";

/**
 * The files of `lib` that the page bundles; a test compares them with its bundle. They run in a browser: the build fails if
 * one imports a module of Node, and `npm run types` if one uses a global of Node.
 */
export const filesOfPage = [
  "lib/contract/errors.ts",
  "lib/contract/json.ts",
  "lib/contract/limits.ts",
  "lib/contract/reason.ts",
  "lib/contract/unleash-rules.ts",
  "lib/features/active-strategies.ts",
  "lib/features/lists/listed-environment.ts",
  "lib/features/moves/merge-rules.ts",
  "lib/features/moves/moved-share.ts",
  "lib/features/moves/sdk-rules.ts",
  "lib/features/patch/apply-patch.ts",
  "lib/features/stored-bytes.ts",
];

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    only("lib/contract"),
    only("lib/access", "lib/contract/", "lib/stale-cache.ts$"),
    only("lib/features", "lib/contract/", "lib/access/", shared),
    only("lib/documents", "lib/contract/", "lib/features/", "lib/stale-cache.ts$"),
    only("lib/store", "lib/contract/", "lib/access/", "lib/features/", "lib/documents/", shared),
    only("lib/http", "lib/contract/", "lib/access/", "lib/features/", "lib/service.ts$", shared),
    only(
      "functions",
      "lib/contract/",
      "lib/access/permissions.ts$",
      "lib/features/",
      "lib/http/",
      "lib/service.ts$",
      "lib/documents/",
      "lib/store/(feature|read|tag)-store.ts$",
      shared,
    ),
    only("lib", "lib/"),
    only(
      "infra/state",
      "lib/contract/",
      "lib/access/",
      "lib/features/(patch/(content-size|environment-tree|variant-list)|model|stored-bytes|tags/tag-list).ts$",
      "infra/cli/(json-file|refusal).ts$",
    ),
    only("infra/clients/api", "lib/contract/"),
    only("infra/clients/words", "lib/contract/", "lib/features/(active-strategies|moves/move-types).ts$"),
    only(
      "infra/clients/mcp",
      "lib/contract/",
      "infra/clients/api/",
      "infra/cli/(exit|options).ts$",
      "infra/clients/page/draft/proposal-link.ts$",
    ),
    only("infra/store", "infra/cli/refusal.ts", "lib/", "infra/state/", "infra/build/deployment.mjs$"),
    only("infra/cli", "lib/contract/", "infra/clients/api/(error-codes|headers).ts$"),
    only("infra/aws", "infra/(build|cli)/"),
    only("infra/clients/admin", "functions/", "lib/", "infra/(cli|clients/(api|words)|local|state|store)/"),
    only("infra/engine", "lib/store/"),
    only(
      "infra/local",
      "functions/",
      "lib/",
      "infra/(cli|engine|state|store)/",
      "infra/build/deployment.mjs$",
    ),
    {
      name: "only-the-stores-know-the-database",
      severity: "error",
      from: {
        path: "^(functions|lib|infra)/",
        pathNot: "^(lib|infra)/store/|^infra/engine/client.ts$|^infra/aws/(aws|change-set).ts$",
      },
      to: { path: "node_modules/@(aws-sdk|smithy)/" },
    },
    {
      name: "the-domain-does-no-io",
      severity: "error",
      from: { path: "^lib/(features|contract|documents)/" },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(util|crypto|zlib)$" },
    },
    {
      name: "the-page-imports-types-and-a-few-files",
      severity: "error",
      from: { path: "^infra/clients/page/" },
      to: {
        path: "^(lib|functions)/",
        pathNot: filesOfPage.map((file) => `^${file}$`),
        dependencyTypesNot: ["type-only"],
      },
    },
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-orphans", severity: "error", from: { orphan: true, path: "^(functions|lib)/" }, to: {} },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
  },
};
