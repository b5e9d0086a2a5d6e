/** Builds what Lambda runs, and the tools of this repository. */
import "./infra/build/node-version.mjs";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { digestOfSources, isBuilt, rememberBuild, replaceFile } from "./infra/build/built.mjs";
import { buildPatchPage } from "./infra/build/patch-page.mjs";

/**
 * Puts our configuration of the SDK in the place of its own. The entries that the packages have for browsers are the same
 * without configuration files, which a Lambda has not.
 */
const lambdaSdk = {
  name: "lambda-sdk",
  /** @param {import("esbuild").PluginBuild} build */
  setup({ onResolve, resolve, initialOptions: { absWorkingDir = "" } }) {
    onResolve({ filter: /^\.\/runtimeConfig$/ }, () => ({
      path: path.resolve(absWorkingDir, "lib/store/dynamodb/runtime-config.ts"),
    }));
    const withFiles = /^@smithy\/core\/(config|endpoints|retry)$|^@aws-sdk\/core\/(client|httpAuthSchemes)$/;
    onResolve({ filter: withFiles }, async ({ path: name, pluginData: isOwn, ...from }) => {
      if (isOwn) return undefined;
      const { path: entry, ...rest } = await resolve(name, { ...from, pluginData: true });
      return { ...rest, path: entry.replace(/index\.js$/, "index.browser.js") };
    });
  },
};

/** Puts what the deployment declares in the place of the module that reads it. */
const deployment = {
  name: "deployment",
  /** @param {import("esbuild").PluginBuild} build */
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]infra[\\/]build[\\/]deployment\.mjs$/ }, async () => {
      const declared = Object.entries(await import("./infra/build/deployment.mjs"));
      const constants = declared.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
      return { contents: constants.join("\n") };
    }),
};

/**
 * One minified file for each function, with its source map apart.
 * @satisfies {import("esbuild").BuildOptions}
 */
export const functionsBuild = {
  entryPoints: ["functions/tags.ts", "functions/variants.ts", "functions/read.ts"],
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  // CommonJS output starts faster than ES modules, but only the packages' ES modules can be tree-shaken.
  format: "cjs",
  mainFields: ["module", "main"],
  // The package's own entry also includes its half that observes objects for changes.
  alias: { "fast-json-patch": "fast-json-patch/module/core.mjs" },
  plugins: [lambdaSdk],
  // No module of a bundle uses it. A dynamic import in another one would make esbuild wrap every module that it reaches.
  external: ["@smithy/core/event-streams"],
  sourcemap: "external",
  legalComments: "none",
  // What Lambda calls, with the settings of its environment.
  footer: {
    js: "module.exports.handler = module.exports.open(process.env, { warmsUp: true, folder: __dirname });",
  },
};

/**
 * A tool that runs in this repository, with its installed packages.
 * @satisfies {import("esbuild").BuildOptions}
 */
const toolsBuild = {
  entryPoints: { openapi: "infra/reference/write.ts" },
  // Runs first in each tool.
  inject: ["infra/build/node-version.mjs"],
  outdir: "dist/tools",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  alias: functionsBuild.alias,
  packages: "external",
  plugins: [deployment],
  platform: "node",
  target: "node20",
  format: "esm",
};

/**
 * Tools that are started often: with their packages in one file they start in half the time. The packed ones depend on
 * classic-level only; `npm start -- --watch` loads esbuild, and a deployment loads the SDK's clients that it needs.
 * @satisfies {import("esbuild").BuildOptions}
 */
const bundledToolsBuild = {
  ...toolsBuild,
  entryPoints: {
    start: "infra/local/main.ts",
    deploy: "infra/aws/main.ts",
    admin: "infra/clients/admin/main.ts",
    invoke: "infra/local/invoke.ts",
    "start-burgee": "infra/local/start-burgee.ts",
    "harness-worker": "infra/local/harness-worker.ts",
    mcp: "infra/clients/mcp/main.ts",
  },
  packages: "bundle",
  // Node loads minified files faster. The names of functions stay, for stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  external: ["classic-level", "esbuild"],
  mainFields: ["module", "main"],
  // Some of the packages are CommonJS, and require Node's modules.
  banner: {
    js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
  },
};

/**
 * "burgee/local" for CommonJS, as most projects with Jest are.
 * @satisfies {import("esbuild").BuildOptions}
 */
const commonJsBuild = {
  ...toolsBuild,
  entryPoints: { "start-burgee": "infra/local/start-burgee.ts" },
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  define: { "import.meta.url": "moduleUrl" },
  banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
};

/** Builds if a source, or what was built, has changed since the last build. Leaves unchanged files alone. */
export async function buildAll() {
  const sources = digestOfSources();
  if (isBuilt(sources)) return;
  // If `dist` cannot be a folder, this fails before the work begins.
  mkdirSync("dist", { recursive: true });
  // Imported at the top, a missing package would end the process with a stack.
  const { build } = await import("esbuild");
  const results = await Promise.all(
    [functionsBuild, toolsBuild, bundledToolsBuild, commonJsBuild].map((options) =>
      build({ ...options, write: false }),
    ),
  );
  // CommonJS needs types of its own: those of an ES module cannot be required.
  const types = {
    path: path.resolve("dist/tools/start-burgee.d.cts"),
    contents: readFileSync("infra/local/harness.d.ts"),
  };
  const page = await buildPatchPage(functionsBuild.alias);
  const outputs = [...results.flatMap(({ outputFiles }) => outputFiles), types, page];
  for (const { path: file, contents } of outputs) {
    if (!existsSync(file) || !readFileSync(file).equals(contents)) replaceFile(file, contents);
  }
  rememberBuild(
    sources,
    outputs.map(({ path: file }) => path.relative(".", file)),
  );
}

if (path.basename(process.argv[1] ?? "") === "esbuild.config.mjs") {
  await buildAll().catch((error) => {
    const isMissing = error.code === "ERR_MODULE_NOT_FOUND";
    const reason = isMissing ? "the packages are not installed: run npm ci" : error.message;
    // esbuild has printed its own errors.
    if (!error.errors) console.error(`burgee: the sources cannot be built: ${reason}`);
    process.exit(1);
  });
}
