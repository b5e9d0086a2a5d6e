/** `import-flagd`: users get from Burgee's document what they got from the definition. */
import { readFileSync } from "node:fs";
import type { EvaluationContext } from "@openfeature/core";
import { FlagdCore } from "@openfeature/flagd-core";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { limits } from "../../../../lib/contract/limits.ts";
import { replace, times } from "../../../support/patching.ts";
import { variant } from "../../../support/seed.ts";
import { done, fileOf, useCommandLine } from "./command-line.ts";

const line = await useCommandLine();

const fixture = "test/infra/clients/admin/data/flagd-flags.json";
const place = ["--project", "default", "--environment", "production"];
const definition = JSON.parse(readFileSync(fixture, "utf8"));

const importFile = (file: string, ...more: string[]) => line.run("import-flagd", file, ...place, ...more);

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
  const { leftOut } = await line.json("import-flagd", flagOf(...given), ...place);
  const { features } = JSON.parse(await line.exported());
  return { leftOut, content: features[0]?.environments.production };
}

async function served() {
  const path = "/api/projects/default/environments/production/flagd.json";
  return (await line.burgee.send({ method: "GET", path })).json;
}

const silent = { error() {}, warn() {}, info() {}, debug() {} };

/** What 200 users, and contexts without a targeting key, get of each flag. */
function evaluations(document: object, { flags } = definition): Record<string, unknown[]> {
  const core = new FlagdCore(undefined, silent);
  core.setConfigurations(JSON.stringify(document));
  const users: EvaluationContext[] = times(200, (index) => ({
    targetingKey: `user-${index}`,
    email: `user-${index}@${index % 10 === 0 ? "example.com" : "example.org"}`,
    ...(index % 7 === 0 && { plan: "team" }),
  }));
  users.push({}, { targetingKey: "" }, { email: "staff@example.com" }, { email: "a@b.org", plan: "team" });
  const evaluate = (flag: string) => {
    const [value] = Object.values(flags[flag].variants);
    const resolve = {
      string: () => users.map((user) => core.resolveStringEvaluation(flag, "none", user, silent)),
      number: () => users.map((user) => core.resolveNumberEvaluation(flag, 0, user, silent)),
      boolean: () => users.map((user) => core.resolveBooleanEvaluation(flag, false, user, silent)),
      object: () => users.map((user) => core.resolveObjectEvaluation(flag, {}, user, silent)),
    }[typeof value as "string"];
    return resolve().map(({ value, variant }) => ({ value, variant }));
  };
  return Object.fromEntries(Object.keys(flags).map((flag) => [flag, evaluate(flag)]));
}

it("gives users the same as before, with a targeting key and without", async () => {
  const { out, ...ended } = await importFile(fixture);

  const [, summary] = out.split(/\n(?=\d+ created)/);
  expect({ ...ended, out: summary }).toEqual(
    done(`12 created, 0 updated, 0 removed, 1 unchanged.

LEFT OUT     WHY                 WHICH
metadata  2  not kept by Burgee  of the definition, limits
variants  1  kept as flagd's own values: "by date": name must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."  sorting
`),
  );
  const document = await served();
  expect(evaluations(document)).toEqual(evaluations(definition));
  expect(document.$evaluators).toBeUndefined();
  expect(await line.burgee.storedEnvironment("page-size", "production")).toMatchObject({ enabled: false });
  expect(await line.burgee.storedEnvironment("banner", "production")).toMatchObject({
    variants: [
      variant("blue", { weight: 300, weightType: "fix", payload: { type: "string", value: "#00f" } }),
      variant("none", { weight: 0, weightType: "fix" }),
      variant("red", { weight: 700, payload: { type: "string", value: "#f00" } }),
    ],
    audience: { strategies: [], dependencies: [], targeting: null },
  });
  expect(await importFile(fixture)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^0 created, 0 updated/),
  });
});

it("serves a share of flagd's own logic that is patched afterwards", async () => {
  await importFile(fixture);
  const path = "/targeting/targeting/if/2/fractional/1/1";

  const { status } = await line.burgee.patchFeature("checkout", [replace(path, 9)], {
    environment: "production",
  });

  expect(status).toBe(200);
  expect((await served()).flags.checkout.targeting.if[2]).toEqual({
    fractional: [
      ["old", 3],
      ["new", 9],
    ],
  });
});

it.each([
  ["no targeting", undefined, "a", [1000, 0]],
  [
    "weights of another sum",
    {
      fractional: [
        ["a", 1],
        ["b", 3],
      ],
    },
    "b",
    [250, 750],
  ],
  ["buckets without weights", { fractional: [["a"], ["b"]] }, "a", [500, 500]],
])("takes the weights of %s, and keeps no logic", async (_, targeting, defaultVariant, weights) => {
  const { content } = await importFlag(targeting, { defaultVariant });

  expect(content.variants.map(({ weight }: { weight: number }) => weight)).toEqual(weights);
  expect(content.targeting).toBeNull();
});

it.each([
  [
    "a spread within a condition",
    {
      if: [
        { var: "x" },
        "a",
        {
          fractional: [
            ["a", 1],
            ["b", 1],
          ],
        },
      ],
    },
  ],
  ["a spread with a seed", { fractional: [{ var: "email" }, ["a", 1], ["b", 1]] }],
  [
    "shares in another order than that of names, in which Burgee has variants",
    {
      fractional: [
        ["b", 1],
        ["a", 1],
      ],
    },
  ],
  [
    "thirds",
    {
      fractional: [
        ["a", 1],
        ["b", 2],
      ],
    },
  ],
])("keeps the logic of %s", async (_, targeting) => {
  const { content } = await importFlag(targeting);

  expect(content.targeting).toEqual({ targeting, defaultVariant: "a" });
});

it.each([
  ["b", [70, 30]],
  ["b", [50, 50]],
  ["c", [50, 50]],
  [null, [70, 30]],
])(
  "keeps the logic where users without a targeting key get %j, not the heaviest of %j",
  async (defaultVariant, [a, b]) => {
    const targeting = {
      fractional: [
        ["a", a],
        ["b", b],
      ],
    };

    const { content } = await importFlag(targeting, { defaultVariant, variants: { a: "a", b: "b", c: "c" } });

    expect(content.targeting).toEqual({ targeting, defaultVariant });
  },
);

it("keeps values that variants cannot have", async () => {
  const variants = { yes: true, no: false };

  const { content, leftOut } = await importFlag({}, { variants, defaultVariant: "no" });
  const plain = await importFlag({}, { variants: { on: true, off: false }, defaultVariant: "off" });

  expect(leftOut).toEqual([]);
  expect(content).toMatchObject({ variants: [], targeting: { variants, defaultVariant: "no" } });
  expect(plain.content).toMatchObject({ variants: [], targeting: { defaultVariant: "off" } });
});

const long = "x".repeat(limits.urlFriendlyNameLength + 1);

it.each([
  ["a b", '"a b": name must be URL-friendly'],
  [long, `"${long}": name must have 1 to ${limits.urlFriendlyNameLength} characters`],
])("keeps the variant %j, whose name is refused, as a value of flagd's, and says why", async (name, why) => {
  const variants = { [name]: "1", z: "2" };

  const { content, leftOut } = await importFlag({}, { variants, defaultVariant: name });

  expect(leftOut).toEqual([
    {
      ...{ what: "variants", count: 1, which: ["F"] },
      why: expect.stringContaining(`kept as flagd's own values: ${why}`),
    },
  ]);
  expect(content).toMatchObject({ variants: [], targeting: { variants, defaultVariant: name } });
});

it.each([null, undefined, "missing"])(
  "says nothing of the variants where the default is %j",
  async (defaultVariant) => {
    const { content, leftOut } = await importFlag({}, { defaultVariant });

    expect([leftOut, content.variants]).toEqual([[], []]);
  },
);

it("is listed and shown as decided by flagd's own logic, not as on for everyone", async () => {
  await importFlag(undefined, { variants: { on: true, off: false }, defaultVariant: "off" });

  expect(await line.run("feature list --project default")).toEqual(
    done(`FEATURE  PROJECT  TAGS  STATE
F        default  none  production on for whom flagd's own logic picks
`),
  );
  const { out } = await line.run("feature show F");
  expect(out).toContain("\nproduction: on for whom flagd's own logic picks");
  expect(out).not.toContain("everyone");
});

const pieces = fc.letrec<{ logic: object; result: unknown; condition: object }>((tie) => ({
  condition: fc.oneof(
    fc.constant({ $ref: "isStaff" }),
    fc.constant({ "==": [{ var: "plan" }, "team"] }),
    fc.constant({ "!": [{ var: "plan" }] }),
    fc.constant({ in: ["7", { var: "targetingKey" }] }),
  ),
  result: fc.oneof({ weight: 3, arbitrary: fc.constantFrom("a", "b", "c") }, tie("logic"), fc.constant(null)),
  logic: fc.oneof(
    { depthSize: "small" },
    fc
      .tuple(
        fc.constantFrom([], [{ var: "email" }], [{ cat: [{ var: "$flagd.flagKey" }, { var: "email" }] }]),
        fc.shuffledSubarray(["a", "b", "c"], { minLength: 1 }),
        fc.array(fc.constantFrom(1, 2, 25, 50, 333), { minLength: 3, maxLength: 3 }),
      )
      .map(([seed, names, weights]) => ({
        fractional: [...seed, ...names.map((name, index) => [name, weights[index]])],
      })),
    fc.tuple(tie("condition"), tie("result"), tie("result")).map((branches) => ({ if: branches })),
  ),
}));

/** What Burgee can have as weights, if the sum suits and users without a targeting key get the heaviest. */
const plainSpread = fc
  .tuple(
    fc.subarray(["a", "b", "c"], { minLength: 2 }),
    fc.array(fc.constantFrom(1, 3, 25), { minLength: 3, maxLength: 3 }),
  )
  .map(([names, weights]) => ({ fractional: names.map((name, index) => [name, weights[index]]) }));

const valuesOf = [
  { a: "a", b: "b", c: "c" },
  { a: "A", b: "", c: "C" },
  { a: 1, b: 2.5, c: -3e20 },
  { a: true, b: false, c: true },
  { a: { x: [1] }, b: {}, c: { y: null } },
];

it("gives users the same of any flag", async () => {
  const flag = fc.record(
    {
      variants: fc.constantFrom(...valuesOf),
      defaultVariant: fc.constantFrom("a", "b", "c", null),
      targeting: fc.oneof({ weight: 3, arbitrary: pieces.logic }, { weight: 1, arbitrary: plainSpread }),
    },
    { requiredKeys: ["variants", "defaultVariant"] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(flag, { minLength: 40, maxLength: 40 }), async (flags) => {
      const { $evaluators } = definition;
      const entries = flags.map((one, index) => [`flag-${index}`, { state: "ENABLED", ...one }]);
      const random = { flags: Object.fromEntries(entries), $evaluators };

      const { leftOut } = await line.json("import-flagd", fileOf(random), ...place);

      expect(leftOut).toEqual([]);
      expect(evaluations(await served(), random)).toEqual(evaluations(random, random));
    }),
    { numRuns: 3 },
  );
});

it("has weights for a fractional, also by a $ref", async () => {
  const targeting = {
    fractional: [
      ["a", 50],
      ["b", 50],
    ],
  };
  const flag = { state: "ENABLED", variants: { a: "a", b: "b" }, defaultVariant: "a" };
  const flags = { typed: { ...flag, targeting }, referred: { ...flag, targeting: { $ref: "halves" } } };

  await line.json("import-flagd", fileOf({ flags, $evaluators: { halves: targeting } }), ...place);

  const { features } = JSON.parse(await line.exported());
  const [referred, typed] = features.map(({ environments }: { environments: object }) => environments);
  expect(typed.production.variants).toMatchObject([{ weight: 500 }, { weight: 500 }]);
  expect(referred).toEqual(typed);
});

it("leaves out a flag whose $ref leads nowhere", async () => {
  const { leftOut, content } = await importFlag({ if: [{ $ref: "missing" }, "a"] });

  expect(content).toBeUndefined();
  expect(leftOut).toMatchObject([{ what: "features", which: ["F"] }]);
});

it.each([
  [
    "a number beyond a double",
    '{ ">": [{ "var": "age" }, 1e999] }',
    "/targeting/>/1 is too large for a number",
  ],
  ["a lone surrogate", '{ "var": "\\ud800" }', "/targeting/var contains a lone surrogate"],
  ["a forbidden name", '{ "constructor": [] }', "/targeting/constructor is a forbidden name"],
])("leaves out a flag that a patch could not have: %s", async (_, targeting, message) => {
  const flag = `{ "variants": { "a": "a" }, "defaultVariant": "a", "targeting": ${targeting} }`;
  const file = fileOf(Buffer.from(`{ "flags": { "F": ${flag} } }`));

  const { leftOut } = await line.json("import-flagd", file, ...place);

  expect(JSON.parse(await line.exported()).features).toEqual([]);
  expect(leftOut).toMatchObject([{ what: "features", why: `not valid: ${message}`, which: ["F"] }]);
});
