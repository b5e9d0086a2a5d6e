/** What the pages list is what the code has: limits, errors, options, settings, packages, scripts. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { factsOfCodes } from "../../../infra/clients/api/error-codes.ts";
import openapi from "../../../infra/reference/openapi.json" with { type: "json" };
import { permissionNames } from "../../../lib/access/permissions.ts";
import * as errors from "../../../lib/contract/errors.ts";
import { limits as allLimits } from "../../../lib/contract/limits.ts";
import { errorCodeSchema } from "../../../lib/contract/responses/error-body.ts";
import { aspects } from "../../../lib/features/model.ts";
import { optionDeclarations } from "../../../lib/http/options.ts";

const read = (file: string) => readFileSync(file, "utf8");
const api = read("docs/API.md");
const reference = read("docs/REFERENCE.md");
const operations = read("docs/OPERATIONS.md");
const guide = read("CONTRIBUTING.md");
const { scripts, dependencies, devDependencies } = JSON.parse(read("package.json"));

/** The section under a heading, without those below it. */
function section(page: string, heading: string): string {
  const found = page.split(/^(?=#+ )/m).find((text) => text.split("\n")[0]?.replace(/^#+ /, "") === heading);
  if (found === undefined) throw new Error(`there is no heading "${heading}"`);
  return found;
}

const rowsOf = (text: string) => text.split("\n").filter((line) => line.startsWith("| "));
/** The cells of a row, without the empty ones at its ends. */
const cellsOf = (row: string) => row.slice(2, -2).split(" | ");
const quotedIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, quoted = ""]) => quoted);
const number = (value: number) => value.toLocaleString("en-US");

/** How much is read and kept: no request is refused by these. */
const ofMechanisms: readonly (keyof typeof allLimits)[] = [
  ...(["itemBytes", "listBytes", "earlierWriteIds", "carriedChanges", "carriedBytes"] as const),
];

it("the reference has the limits", () => {
  const listed = new Set<string>();
  const limits = new Proxy(allLimits, {
    get(all, name) {
      listed.add(String(name));
      return Reflect.get(all, name);
    },
  });
  const same = (...values: number[]) => {
    expect(new Set(values).size).toBe(1);
    return values[0] ?? 0;
  };
  const kib = (bytes: number) => `${bytes / 1024} KiB`;
  const rows = [
    `| body: ${kib(limits.bodyBytes)} |`,
    `| a body, and what a patch builds: ${limits.jsonDepth} levels of nesting, ${number(limits.jsonValues)} list elements and members |`,
    `| patch: ${number(limits.patchOperations)} operations, which add, replace, copy and move ${limits.patchBytes / 1024 ** 2} MiB in total |`,
    `| tags in each list of an update: ${limits.tagsPerList} |`,
    `| \`Idempotency-Key\`: ${limits.idempotencyKeyLength} visible ASCII characters |`,
    `| \`Burgee-Reason\`: ${limits.reasonLength} characters, before percent-encoding |`,
    `| \`Burgee-Guard\`: a name of 1 to ${limits.urlFriendlyNameLength} URL-friendly characters; \`for\` from \`${limits.leastGuardSeconds / 60}m\` to \`${limits.guardSeconds / 3600}h\``,
    `| ${aspects.slice(1, -1).join(", ")} and ${aspects.at(-1)} of an environment together, tags of a feature together: ${kib(same(limits.contentBytes, limits.tagsBytes))} |`,
    `| strategies of an environment, its dependencies, constraints of a strategy: ${same(limits.strategies, limits.dependencies, limits.constraints)}; values of a constraint: ${number(limits.constraintValues)} |`,
    `| response as sent: ${limits.responseBytes / 1e6} MB, of a dry run ${limits.previewBytes / 1e6} MB |`,
    `| what a list is made from: ${limits.listPages} MB; a document is made from two |`,
    `| \`burgee-environments\`, \`burgee-moves\`: ${number(limits.environmentsHeaderLength)} characters; \`burgee-hint\`: ${number(limits.hintHeaderLength)} |`,
    `| \`moves\` of an environment, or of a strategy: ${limits.listedMoves} |`,
  ];

  for (const row of rows) expect(section(reference, "Limits")).toContain(row);
  expect(section(reference, "Lists")).toContain(`at most ${number(limits.listedFeatures)}`);
  expect(section(reference, "Errors")).toContain(`issues of a body (at most ${limits.listedIssues})`);
  const changes = section(api, "Changes and undo");
  expect(changes).toContain(`**A change can be undone for ${limits.undoableDays} days, newest first.**`);
  expect(section(api, "Retries")).toContain(`recognised for ${limits.undoableDays} days`);
  expect(section(operations, "Keys")).toContain(
    `at most ${limits.permissionsPerKey} permissions, a name of a key, a project or an environment at most ${number(limits.nameBytes)} bytes, and the names of a project's environments ${kib(limits.environmentsBytes)} together`,
  );
  expect(section(operations, "Events")).toContain(
    `in the [list of changes](API.md#changes-and-undo) for ${limits.keptDays} days`,
  );
  expect(changes).toContain(`the newest ${limits.listedChanges} of each environment`);
  expect(
    Object.keys(allLimits).filter((name) => !listed.has(name) && !ofMechanisms.some((one) => one === name)),
  ).toEqual([]);
});

it("the reference has every request option", () => {
  const page = section(reference, "Options") + section(reference, "Lists");

  // Every HTTP client sends the header that accepts gzip by itself.
  const names = Object.values(optionDeclarations).filter(({ name }) => name !== "Accept-Encoding");
  for (const { in: place, name } of names) expect(page).toContain(place === "query" ? `?${name}=` : name);
});

it.each([
  "README.md",
  "CONTRIBUTING.md",
  "docs/API.md",
  "docs/REFERENCE.md",
  "functions/routes/environments.ts",
  "infra/clients/admin/commands/apply.ts",
  "infra/clients/admin/commands/patch.ts",
  "infra/clients/admin/commands/promote.ts",
  "infra/clients/mcp/tool-schemas.ts",
])("%s names each aspect of an environment", (file) => {
  const text = read(file);

  const word = (aspect: string) =>
    new RegExp(aspect === "enabled" ? "\\b(enabled|switch)\\b" : `\\b${aspect}\\b`);
  expect(aspects.filter((aspect) => !word(aspect).test(text))).toEqual([]);
});

it("the API's page says which options make a change strict", () => {
  const [, listed = ""] =
    /Undos are strict, and changes with (.+?)\.\n/.exec(section(api, "In every environment")) ?? [];

  const making = Object.values(optionDeclarations).filter(
    (option) => "makesStrict" in option && option.makesStrict,
  );
  expect(quotedIn(listed).map((header) => header.split(":")[0])).toEqual(making.map(({ name }) => name));
});

it("the reference has every permission", () => {
  const named = new Set(quotedIn(section(reference, "Permissions")));

  expect(permissionNames.filter((name) => !named.has(name))).toEqual([]);
});

it("the reference has each error with its status", () => {
  const listed = rowsOf(section(reference, "Errors")).flatMap((row) => {
    const [status = "", name = ""] = cellsOf(row);
    return quotedIn(name).map((name) => [name, Number(status)]);
  });

  const all = Object.values(errors) as { prototype?: unknown }[];
  const classes = all.filter(({ prototype }) => prototype instanceof errors.ApiError);
  const declared = classes.map((each) => {
    const { name, status } = new (each as unknown as typeof errors.ValidationError)("");
    return [name, status];
  });
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(declared));
});

it("clients do after each code what the API's page says", () => {
  const rows = rowsOf(section(api, "After an error")).map(cellsOf);
  const nextSteps = Object.fromEntries(
    Object.entries(factsOfCodes).map(([code, { nextStep }]) => [code, nextStep]),
  );
  const steps = new Set(Object.values(nextSteps));

  const listed = rows.flatMap(([error = "", then = ""]) => {
    const said = [...steps].filter((step) => then.includes(step));
    const codes = quotedIn(error).filter((code) => errorCodeSchema.safeParse(code).success);
    return codes.map((code) => [code, said.join()]);
  });
  expect(Object.fromEntries(listed)).toEqual(nextSteps);
});

it("the comment of `code` defines each code", () => {
  const { description } = openapi.components.schemas.errorSchema.properties.code;
  const defined = [...description.matchAll(/^- `([\w-]+)`: /gm)].map(([, code = ""]) => code);

  expect(defined.sort()).toEqual([...errorCodeSchema.options].sort());
});

it("the guide for contributors has each command of .ci/run, which runs all that it has but four", () => {
  const steps = read(".ci/run").matchAll(/npm (?:run )?(?!ci\b)([\w:-]+)/g);
  const run = new Set([...steps].map(([, name = ""]) => name));
  const checks = rowsOf(section(guide, "Checks")).flatMap((row) => {
    const names = row.startsWith("| `npm run` |") ? "" : (cellsOf(row)[0] ?? "");
    return quotedIn(names);
  });

  expect(checks.filter((name) => !run.has(name))).toEqual(["coverage", "conformance", "mutation", "bench"]);
  expect([...run].filter((name) => !checks.includes(name))).toEqual(["build", "openapi:lint"]);
  expect(checks.filter((name) => !(name in scripts))).toEqual([]);
});

it.each(["lib", "lib/features", "infra", "infra/clients"])(
  "the guide for contributors has each entry of %s",
  (folder) => {
    const text = section(guide, "Where things go");

    const entries = readdirSync(folder).filter((name) => !text.includes(`\`${name}`));
    expect(entries).toEqual([]);
  },
);

it("the decisions have a reason for each package", () => {
  const listed = rowsOf(section(read("docs/DECISIONS.md"), "Dependencies")).flatMap((row) => {
    // What is in parentheses explains a name.
    return quotedIn((cellsOf(row)[0] ?? "").replaceAll(/\([^)]*\)/g, ""));
  });

  expect(listed.sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort());
});

it("the reference says which writes accept each option", () => {
  const rows = rowsOf(section(reference, "Options")).map(cellsOf);
  const { form: _, acceptsGzip: __, ...options } = optionDeclarations;

  for (const { in: place, name, acceptedBy } of Object.values(options)) {
    const shown = place === "query" ? `?${name}` : name;
    const [, listed = ""] = rows.find(([cell = ""]) => quotedIn(cell)[0]?.startsWith(shown)) ?? [];
    const writes = acceptedBy.map((kind) => `${kind}s`).filter((kind) => kind !== "undos");
    // A change is a patch, a switch, a write of a strategy or an undo.
    const expected = acceptedBy.some((kind) => kind === "undo")
      ? writes
      : writes.join().replace("changes", "patches,switches,writes of strategies").split(",");
    expect(listed.replace(/, every `GET`.*/, "").split(", "), name).toEqual(expected);
  }
});

it("the workflow that pushes to Unleash names the permissions of the token that the page on Unleash requires", () => {
  const page = read("docs/FROM-UNLEASH.md");
  const workflow = read("infra/examples/github-actions-unleash.yml");
  const [required = ""] = page.match(/^- The token needs .*?, and/m) ?? [];

  const [named = ""] = workflow.match(/^# +UNLEASH_TOKEN .*/m) ?? [];

  expect(named.match(/[A-Z]+_FEATURE_\w+/g)).toEqual(quotedIn(required));
});
