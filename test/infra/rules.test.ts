/** The dependency rules are checked by `npm run rules`; a rule over no modules passes, so here it is seen that it has some. */
import { readdirSync, readFileSync } from "node:fs";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { expect, it } from "vitest";
import rules from "../../.dependency-cruiser.mjs";

const { options, ...ruleSet } = rules;
const folders = ["functions", "lib"];
const tsConfig = extractTSConfig("tsconfig.json");
const { output } = await cruise(folders, { ...options, ruleSet, validate: true }, {}, { tsConfig });
const { modules, summary } = output as ICruiseResult;

it("the dependency rules see every source file and what it imports, and find nothing wrong", () => {
  const sources = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => `${folder}/${file}`),
  );
  const imported = modules
    .filter(({ source }) => source.startsWith("functions/"))
    .flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved));

  expect(sources.length).toBeGreaterThan(30);
  expect(modules.map(({ source }) => source)).toEqual(expect.arrayContaining(sources));
  expect(imported).toContain("lib/http/handler.ts");
  expect(summary.violations).toEqual([]);
});

it("no two exported functions share a name", () => {
  const sources = [...folders, "infra"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const names = sources
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/^export (?:async )?function\*? (\w+)/gm)])
    .map(([, name = ""]) => name);

  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it("each mutant that may survive is of a line that there is", () => {
  const reasons: { mutants: object }[] = JSON.parse(readFileSync("test/mutation/survivors.json", "utf8"));
  const lines = new Set(
    readdirSync("lib", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => readFileSync(`lib/${file}`, "utf8").split("\n"))
      .map((line) => line.trim()),
  );
  const mutated = reasons.flatMap(({ mutants }) => Object.keys(mutants));

  expect(mutated.length).toBeGreaterThan(30);
  expect(mutated.filter((line) => !lines.has(line))).toEqual([]);
});
