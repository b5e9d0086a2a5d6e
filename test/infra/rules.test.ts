/** The dependency rules are checked by `npm run rules`; a rule over no modules passes, so here it is seen that it has some. */
import { readdirSync } from "node:fs";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { beforeAll, expect, it } from "vitest";
import rules from "../../.dependency-cruiser.mjs";

let result: ICruiseResult;

beforeAll(async () => {
  const { options = {}, ...ruleSet } = rules;
  const tsConfig = extractTSConfig("tsconfig.json");
  const { output } = await cruise(
    ["functions", "lib"],
    { ...options, ruleSet, validate: true },
    {},
    { tsConfig },
  );
  result = output as ICruiseResult;
});

it("the dependency rules see every source file", () => {
  const sources = ["functions", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => `${folder}/${file}`),
  );

  const seen = result.modules.map(({ source }) => source);

  expect(sources.length).toBeGreaterThan(30);
  expect(seen).toEqual(expect.arrayContaining(sources));
});

it("they see what each file imports, and find nothing wrong", () => {
  const arrows = result.modules.filter(({ source }) => source.startsWith("functions/"));

  expect(arrows.flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved))).toContain(
    "lib/http/handler.ts",
  );
  expect(result.summary.violations).toEqual([]);
});

it("they would find a fault: the handlers do import the library, and a rule against that is broken", async () => {
  const forbidden = [
    { name: "none", severity: "error" as const, from: { path: "^functions/" }, to: { path: "^lib/" } },
  ];

  const { output } = await cruise(["functions"], {
    ...rules.options,
    ruleSet: { forbidden },
    validate: true,
  });

  expect((output as ICruiseResult).summary.violations.length).toBeGreaterThan(0);
});
