/** `import-flagd`: users get from Burgee's document what they got from the definition. */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { FlagdCore } from "@openfeature/flagd-core";
import { expect, it } from "vitest";
import { replace, times } from "../../support/patching.ts";
import { featureOf, projectOf, variant } from "../../support/seed.ts";
import { done, fileOf, misused, runAtTerminal, unconfirmed, useCommandLine } from "./command-line.ts";

const line = await useCommandLine();

const fixture = "test/infra/admin/data/flagd-flags.json";
const place = ["--project", "default", "--environment", "production"];
const definition = JSON.parse(readFileSync(fixture, "utf8"));

const importFile = (file: string, ...more: string[]) =>
  line.run("import-flagd", file, ...place, "--yes", ...more);

/** A definition with one flag. */
const flagOf = (targeting?: unknown, more = {}) =>
  fileOf({
    flags: {
      F: {
        ...{ state: "ENABLED", variants: { a: "a", b: "b" }, defaultVariant: "a" },
        ...(targeting !== undefined && { targeting }),
        ...more,
      },
    },
  });

async function importFlag(...given: Parameters<typeof flagOf>) {
  const imported = await line.json("import-flagd", flagOf(...given), ...place, "--yes");
  const { features } = JSON.parse(await line.exported());
  const { variants } = features[0].environments.production;
  return {
    leftOut: imported.leftOut,
    weights: Object.fromEntries(
      variants.map((one: { name: string; weight: number }) => [one.name, one.weight]),
    ),
    document: await served(),
  };
}

async function served() {
  const path = "/api/projects/default/environments/production/flagd.json";
  return (await line.burgee.send({ method: "GET", path })).json;
}

const silent = { error() {}, warn() {}, info() {}, debug() {} };

/** What 200 users get of each flag. */
function evaluations(document: object): Record<string, unknown[]> {
  const core = new FlagdCore(undefined, silent);
  core.setConfigurations(JSON.stringify(document));
  const users = times(200, (index) => ({
    targetingKey: `user-${index}`,
    email: `user-${index}@${index % 10 === 0 ? "example.com" : "example.org"}`,
    ...(index % 7 === 0 && { plan: "team" }),
  }));
  const evaluate = (flag: string) => {
    const [value] = Object.values(definition.flags[flag].variants);
    const resolve = {
      string: () => users.map((user) => core.resolveStringEvaluation(flag, "none", user, silent)),
      number: () => users.map((user) => core.resolveNumberEvaluation(flag, 0, user, silent)),
      boolean: () => users.map((user) => core.resolveBooleanEvaluation(flag, false, user, silent)),
      object: () => users.map((user) => core.resolveObjectEvaluation(flag, {}, user, silent)),
    }[typeof value as "string"];
    return resolve().map(({ value, variant }) => ({ value, variant }));
  };
  return Object.fromEntries(Object.keys(definition.flags).map((flag) => [flag, evaluate(flag)]));
}

it("gives 200 users the same as before, and names what it leaves out", async () => {
  const { out, ...ended } = await importFile(fixture);

  const [, summary] = out.split(/\n(?=\d+ created)/);
  expect({ ...ended, out: summary }).toEqual(
    done(`12 created, 0 updated, 0 removed, 1 unchanged.

LEFT OUT        WHY                                WHICH
targeting    2  kept in the stored document alone  checkout, limits
order        1  a patch sorts them by name: many users get another variant, once  checkout
variants     1  kept in the stored document alone: the flag is Boolean  maintenance
weights      1  rounded to thousandths: a few users get another variant  ranking
stickiness   1  users without that attribute get the default variant  ranking
variants     1  kept in the stored document alone: converted back, they would change the flag  retries
variants     1  kept in the stored document alone: /0/name must be URL-friendly: letters, digits and -_.!~*'() only (and 1 more)  sorting
variants     1  kept in the stored document alone: the targeting has no place for them  theme
$evaluators  1  kept in the stored document alone  isStaff
`),
  );
  const { ranking: rounded = [], ...after } = evaluations(await served());
  const { ranking = [], ...before } = evaluations(definition);
  expect(after).toEqual(before);
  expect(rounded.filter((one, index) => !isDeepStrictEqual(one, ranking[index])).length).toBeLessThan(3);
  expect(await line.burgee.storedEnvironment("page-size", "production")).toMatchObject({ enabled: false });
  expect((await line.burgee.storedEnvironment("banner", "production")).variants).toEqual([
    variant("blue", { weight: 300, weightType: "fix", payload: { type: "string", value: "#00f" } }),
    variant("red", { weight: 700, payload: { type: "string", value: "#f00" } }),
    variant("none", { weight: 0, weightType: "fix" }),
  ]);
  expect(await importFile(fixture)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^0 created, 0 updated/),
  });
});

it("serves what is patched afterwards, where the targeting has its place", async () => {
  await importFile(fixture);

  for (const feature of ["limits", "greeting", "checkout"]) {
    const { json } = await line.burgee.patch(feature, [replace("/0/stickiness", "userId")], { dryRun: true });
    expect(json.environments[0].hint).toBeUndefined();
  }
  await line.burgee.patch("greeting", [replace("/1/weight", 1000)]);

  const { greeting, limits } = (await served()).flags;
  expect(greeting.targeting).toEqual({ if: ["variants of greeting", "hi"] });
  expect(limits.targeting.if.at(-1)).toEqual({ if: ["variants of limits", "small"] });
  expect(limits.metadata).toEqual({ owner: "gateway" });
});

it.each<[string, unknown, Record<string, number>]>([
  ["no targeting", undefined, { a: 1000, b: 0 }],
  ["an empty targeting", {}, { a: 1000, b: 0 }],
  ["buckets without weights", { fractional: [["a"], ["b"]] }, { a: 500, b: 500 }],
  [
    "weights of another sum",
    {
      fractional: [
        ["b", 1],
        ["a", 7],
      ],
    },
    { b: 125, a: 875 },
  ],
  [
    "a spread within a condition",
    {
      if: [
        true,
        {
          fractional: [
            ["a", 1],
            ["b", 1],
          ],
        },
        "b",
      ],
    },
    { a: 500, b: 500 },
  ],
  ["two spreads", { if: [true, { fractional: [["a", 1]] }, { fractional: [["b", 1]] }] }, {}],
  ["a last result", { if: [true, "a", false, "a", "b"] }, { b: 1000, a: 0 }],
  ["a nested last result", { if: [true, "a", { if: [true, "a", "b"] }] }, { b: 1000, a: 0 }],
  ["no last result", { if: [true, "b"] }, { a: 1000, b: 0 }],
  ["a last result of no variant", { if: [true, "b", { var: "plan" }] }, {}],
  ["another operation", { or: ["a", "b"] }, {}],
  ["another seed", { fractional: [{ var: "email" }, ["a", 1], ["b", 1]] }, {}],
  [
    "a variant twice",
    {
      fractional: [
        ["a", 1],
        ["b", 1],
        ["a", 1],
      ],
    },
    {},
  ],
  [
    "an unknown variant",
    {
      fractional: [
        ["a", 1],
        ["c", 1],
      ],
    },
    {},
  ],
  [
    "a calculated weight",
    {
      fractional: [
        ["a", { var: "share" }],
        ["b", 1],
      ],
    },
    {},
  ],
  [
    "a share below a thousandth",
    {
      fractional: [
        ["a", 1],
        ["b", 9999],
      ],
    },
    {},
  ],
  [
    "no weight at all",
    {
      fractional: [
        ["a", 0],
        ["b", 0],
      ],
    },
    {},
  ],
  [
    "the mark of an export",
    {
      if: [
        "variants of F",
        {
          fractional: [
            ["a", 300],
            ["b", 700],
          ],
        },
      ],
    },
    { a: 300, b: 700 },
  ],
  ["a marked variant", { if: ["variants of F", "b"] }, { b: 1000, a: 0 }],
  ["a mark with rules", { if: ["variants of F", { if: [{ in: [{ var: "u" }, ["1"]] }, "b", "a"] }] }, {}],
])("takes the weights of %s, or leaves the flag as it is", async (_, targeting, expected) => {
  const { weights, leftOut, document } = await importFlag(targeting);

  expect(weights).toEqual(expected);
  const isLeftOut = leftOut.some(({ what }: { what: string }) => what === "variants");
  expect(isLeftOut).toBe(Object.keys(expected).length === 0);
  if (isLeftOut) expect(document.flags.F.targeting).toEqual(targeting);
});

it.each<[string, object]>([
  ["no default variant", { defaultVariant: null }],
  ["lists", { variants: { a: [1], b: [2] } }],
  ["values of two types", { variants: { a: "a", b: 1 } }],
  ["empty texts alone", { variants: { a: "", b: "" } }],
  ["an empty text as a name", { variants: { a: "a", "": "b" } }],
])("leaves the variants of a flag with %s in the document", async (_, more) => {
  const { weights, document } = await importFlag(undefined, more);

  expect(weights).toEqual({});
  expect(document.flags.F).toEqual({
    state: "ENABLED",
    variants: { a: "a", b: "b" },
    defaultVariant: "a",
    ...more,
  });
});

it("shows what changes for SDKs, and asks; a dry run changes nothing", async () => {
  const dryRun = await importFile(flagOf(), "--dry-run", "--exit-code");

  expect(dryRun).toEqual({
    code: 3,
    err: "",
    out: `+ project "default"
    + environments/production
+ feature "F"
    + project: "default"
    + environments/production: {"enabled":true,"variants":{"a":{"weight":1000,"weightType":"variable","stickiness":"default"},"b":{"weight":0,"weightType":"fix","stickiness":"default"}}}
+ document "default/production/flagd"
Dry run, nothing was changed: 3 created, 0 updated, 0 removed, 1 unchanged.
Nothing was left out.

For SDKs these change:
+ feature "F"
`,
  });
  const asked = await line.run("import-flagd", flagOf(), ...place);
  expect(asked).toEqual(unconfirmed);
  expect(asked.err).toContain('For SDKs these change:\n+ feature "F"\n');
  expect(JSON.parse(await line.exported())).toMatchObject({ projects: [], features: [], documents: [] });
  await importFile(flagOf());
  expect(await importFile(flagOf(), "--dry-run", "--exit-code")).toMatchObject({ code: 0 });
  const { sdks } = await line.json("import-flagd", flagOf({ if: [true, "b"] }), ...place, "--dry-run");
  expect(sdks).toEqual({ come: [], go: [], change: [{ feature: "F", members: ["targeting"] }], rest: [] });
});

it("refuses to replace a switch that was pressed while it was asking", async () => {
  await importFile(flagOf());
  const file = flagOf({ if: [true, "b"] });
  const meanwhile = async () => {
    await line.run("feature off F --environment production --yes");
    return "y\n";
  };
  const typed = ["node", "dist/tools/admin.mjs", ...line.at(), "import-flagd", file, ...place].join(" ");

  const { shown, code } = await runAtTerminal(typed, meanwhile, { PATH: process.env.PATH });

  expect([code, shown]).toEqual([
    1,
    expect.stringContaining("it was changed concurrently; run the command again"),
  ]);
  expect(await line.burgee.storedEnvironment("F", "production")).toMatchObject({ enabled: false });
}, 30_000);

it("takes the variants of a flag without a state, which is on", async () => {
  const { weights, leftOut } = await importFlag(undefined, { state: undefined });

  expect(weights).toEqual({ a: 1000, b: 0 });
  expect(leftOut).toEqual([]);
});

it("reports nothing when it imports what Burgee serves", async () => {
  await importFlag({
    fractional: [
      ["a", 50],
      ["b", 50],
    ],
  });
  const again = await line.json("import-flagd", fileOf(await served()), ...place, "--yes");

  expect(again.leftOut).toEqual([]);
});

it("adds to what is there, and refuses what is of another place", async () => {
  await line.burgee.store({
    projects: [projectOf("default", "development"), projectOf("else", "e")],
    features: [featureOf("F", { development: [variant("v")] }), { name: "theirs", project: "else" }],
  });
  const flags = { F: { state: "ENABLED", variants: { a: "a" }, defaultVariant: "a" } };
  const file = fileOf({ flags: { ...flags, theirs: flags.F } });

  const { leftOut } = await line.json("import-flagd", file, ...place, "--yes");

  const why = 'they are in project "else" already, and cannot move to "default"';
  expect(leftOut).toEqual([{ what: "features", why, count: 1, which: ["theirs"] }]);
  expect((await line.burgee.storedEnvironment("F", "development")).variants).toEqual([variant("v")]);
  expect((await line.burgee.storedEnvironment("F", "production")).variants).toEqual([variant("a")]);
  const other = fileOf({ metadata: { environment: "development" }, flags });
  expect((await importFile(other)).err).toContain('says that it is of environment "development"');
  expect((await importFile(fileOf({ flags: [] }))).err).toContain("is not a document of flagd's flags");
  expect(await importFile(file, "--exit-code")).toEqual(misused("--exit-code needs --dry-run"));
});
