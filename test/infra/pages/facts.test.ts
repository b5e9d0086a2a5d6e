/** What the pages list is what the code has: limits, errors, options, settings, packages, scripts. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as errors from "../../../lib/contract/errors.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { bugs } from "../../explore/bugs.mjs";
import { scenarios } from "../../explore/scenarios.ts";

const read = (file: string) => readFileSync(file, "utf8");
const readme = read("README.md");
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

it("the README has the limits", () => {
  const kib = (bytes: number) => `${bytes / 1024} KiB`;
  const rows = [
    `| a body: ${kib(limits.bodyBytes)} |`,
    `| the nesting of a body, and of what a patch builds: ${limits.jsonDepth} levels |`,
    `| a patch: ${number(limits.operations)} operations, which add, replace, copy and move ${limits.patchBytes / 1024 ** 2} MiB in total |`,
    `| tags in each list of an update: ${limits.tagsPerList} |`,
    `| an \`Idempotency-Key\`: ${limits.idempotencyKeyLength} visible ASCII characters |`,
    `| the response header \`burgee-environments\`: ${number(limits.outcomesLength)} characters |`,
    `| an API key: ${limits.permissionsPerKey} permissions; names of features and projects: ${number(limits.nameBytes)} bytes; of environments: ${number(limits.environmentNameBytes)} bytes |`,
    `| all variants of an environment, all tags of a feature: ${kib(limits.itemBytes)} (one DynamoDB item); the response of a dry run: ${limits.responseBytes / 1e6} MB |`,
  ];

  for (const row of rows) expect(section(readme, "Limits")).toContain(row);
  expect(section(readme, "Errors")).toContain(`issues of a body (at most ${limits.issues})`);
});

it("the README has each error with its status", () => {
  const listed = rowsOf(section(readme, "Errors")).flatMap((row) => {
    const [statuses = "", names = ""] = cellsOf(row);
    return quotedIn(names).map((name, index) => [name, Number(statuses.split(", ")[index])]);
  });

  const classes = Object.values(errors).filter(({ prototype }) => prototype instanceof errors.ApiError);
  const declared = classes.map((each) => {
    const { name, status } = new (each as typeof errors.ValidationError)("");
    return [name, status];
  });
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(declared));
});

it("the README has each option of npm start", () => {
  const options = [...read("infra/local/options.ts").matchAll(/"(--[\w-]+)/g)].map(([, name]) => name);

  const listed = rowsOf(section(readme, "The local server")).flatMap((row) =>
    quotedIn(cellsOf(row)[0] ?? "").map((option) => option.split(" ")[0]),
  );
  // It is `npm run dev`.
  expect([...listed, "--watch"].sort()).toEqual(options.sort());
});

it("the README lists each command of .ci/run, which runs all that are listed but two", () => {
  const steps = read(".ci/run").matchAll(/npm run ([\w:-]+)/g);
  const run = new Set([...steps].map(([, name = ""]) => name));
  const checks = rowsOf(section(readme, "Changing it")).flatMap((row) => {
    const names = row.startsWith("| `npm run` |") ? "" : (cellsOf(row)[0] ?? "");
    return quotedIn(names);
  });

  expect(checks.filter((name) => !run.has(name))).toEqual(["mutation", "bench"]);
  expect([...run].filter((name) => !checks.includes(name))).toEqual(["build", "openapi:lint"]);
  expect(checks.filter((name) => !(name in scripts))).toEqual([]);
});

it("the decisions have a reason for each package", () => {
  const listed = rowsOf(section(read("DECISIONS.md"), "Dependencies")).flatMap((row) => {
    // What is in parentheses explains a name.
    return quotedIn((cellsOf(row)[0] ?? "").replaceAll(/\([^)]*\)/g, ""));
  });

  expect(listed.sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort());
});

it("the page of the exploration has its bugs and scenarios", () => {
  const page = read("test/explore/README.md");
  const listed = rowsOf(section(page, "Figures")).map((row) => cellsOf(row)[0]?.replace(/ \(stopped.*/, ""));

  expect(page).toContain(`each of the ${bugs.length} deliberate bugs`);
  expect(listed.slice(1)).toEqual(scenarios.map(({ name }) => name));
});

const sources = ["functions", "lib", "infra", "test"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:tsx?|mjs|yml)$/.test(file))
    .map((file) => `${folder}/${file}`),
);

it("the guide for contributors names only what is in the sources", () => {
  const words = new Set(sources.flatMap((file) => read(file).match(/\w+/g) ?? []));

  const named = [...read("CONTRIBUTING.md").matchAll(/`(\w+)(?:\([^`]*\))?`/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => !words.has(name))).toEqual([]);
});
