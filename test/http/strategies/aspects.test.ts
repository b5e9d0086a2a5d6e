/** Each aspect of an environment: patched, stored, listed, undone, exported and applied. */
import { describe, expect, it } from "vitest";
import { toState } from "../../../infra/store/content.ts";
import { readContent } from "../../../infra/store/read-content.ts";
import type { Permission } from "../../../lib/access/permissions.ts";
import type { Json } from "../../../lib/contract/json.ts";
import { type Aspect, aspects } from "../../../lib/features/model.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, remove, replace, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();
const production = { environment: "production" };
const strategy = { name: "default", sortOrder: 1, parameters: {}, constraints: [], variants: {} };
const blue = { weight: 1000, weightType: "variable", stickiness: "default" };

/** What a patch makes of each aspect of an environment with a variant, and who may. The compiler requires all of them. */
const samples: Readonly<Record<Aspect, [value: Json, permission: Permission["permission"]]>> = {
  enabled: [true, "UPDATE_FEATURE_ENVIRONMENT"],
  variants: [{ green: blue }, "UPDATE_FEATURE_ENVIRONMENT_VARIANTS"],
  strategies: [{ s1: strategy }, "UPDATE_FEATURE_STRATEGY"],
  dependencies: [[{ feature: "parent", variants: ["a"] }], "UPDATE_FEATURE_STRATEGY"],
  targeting: [{ defaultVariant: "blue" }, "UPDATE_FEATURE_STRATEGY"],
};

const here = async (feature: string) => {
  const { json } = await burgee.getFeature(feature, { query: "by=name" });
  const { etag, ...content } = json.environments[0];
  return content;
};
const newFeature = () => addFeature(burgee, { environments: { production: [variant("blue")] } });

describe.each(aspects)("a patch of %s", (aspect) => {
  const [value, permission] = samples[aspect];
  const patch = [add(`/${aspect}`, value)];

  it("is stored as its dry run shows it, and restored by an undo alone", async () => {
    const feature = await newFeature();
    const before = await here(feature);
    const preview = await burgee.patchFeature(feature, patch, { ...production, dryRun: true });
    const { status, headers } = await burgee.patchFeature(feature, patch, production);

    const after = await here(feature);
    expect([status, after]).toEqual([200, { ...before, [aspect]: value }]);
    expect(
      Object.keys((await burgee.storedEnvironment(feature, "production")).carriedNewest?.old ?? {}),
    ).toHaveLength(1);
    await burgee.undo(feature, headers["burgee-change"] ?? "", production);
    expect(await here(feature)).toEqual(before);
    await burgee.patchFeature(feature, preview.json.environments[0].difference, production);
    expect(await here(feature)).toEqual(after);
  });

  it("needs its permission, and so does the undo", async () => {
    const feature = await newFeature();
    const others = [...new Set(Object.values(samples).map(([, one]) => one))].filter(
      (one) => one !== permission,
    );
    const lacking = {
      ...production,
      key: await burgee.keyWith(...others.map((one) => ({ permission: one }))),
    };
    const having = { ...production, key: await burgee.keyWith({ permission }) };

    expect((await burgee.patchFeature(feature, patch, lacking)).status).toBe(403);
    const { status, headers } = await burgee.patchFeature(feature, patch, having);
    const change = headers["burgee-change"] ?? "";
    expect([status, (await burgee.undo(feature, change, lacking)).status]).toEqual([200, 403]);
    expect((await burgee.undo(feature, change, having)).status).toBe(200);
  });

  it("is exported, and an apply of the export restores it", async () => {
    const feature = await newFeature();
    await burgee.patchFeature(feature, patch, production);
    const [after, state] = [await here(feature), toState(await readContent(burgee.session))];

    const { headers } = await burgee.patchFeature(feature, patch, production);
    expect(headers["burgee-change"]).toBeUndefined();
    await burgee.patchFeature(
      feature,
      [replace("", { enabled: false, variants: {}, strategies: {} })],
      production,
    );
    expect(await here(feature)).not.toEqual(after);
    await burgee.store({ ...state, apiKeys: [] });
    expect(await here(feature)).toEqual(after);
  });

  it('needs every permission if its path is ""', async () => {
    const feature = await newFeature();
    const key = await burgee.keyWith({ permission });
    const { status } = await burgee.patchFeature(feature, [replace("", {})], { ...production, key });
    expect(status).toBe(403);
  });
});

describe("what an environment has none of", () => {
  it("is absent: an addition and a removal are natural, a replacement is refused", async () => {
    const feature = await newFeature();
    expect(Object.keys(await here(feature))).toEqual(["environment", "enabled", "variants", "strategies"]);
    for (const aspect of ["dependencies", "targeting"] as const) {
      const [value] = samples[aspect];
      const refused = await burgee.patchFeature(feature, [replace(`/${aspect}`, value)], production);
      await burgee.patchFeature(feature, [add(`/${aspect}`, value)], production);
      const removed = await burgee.patchFeature(feature, [remove(`/${aspect}`)], production);
      expect([refused.status, removed.status]).toEqual([400, 200]);
    }
    expect(Object.keys(await here(feature))).toEqual(["environment", "enabled", "variants", "strategies"]);
  });
});

describe("limits", () => {
  const strategies = (count: number) =>
    Object.fromEntries(times(count, (index) => [`s${index}`, { name: "default" }]));
  const constraint = (values: number) => ({
    contextName: "userId",
    operator: "IN",
    values: times(values, (index) => `u${index}`),
  });
  const withConstraints = (constraints: Json[]) => ({ s1: { name: "default", constraints } });
  const rollout = (rollout?: string) => ({
    s1: { name: "flexibleRollout", parameters: { ...(rollout !== undefined && { rollout }) } },
  });

  it.each<[string, Json, number, string?]>([
    ["30 strategies", strategies(30), 200],
    ["31 strategies", strategies(31), 400, "at most 30 strategies"],
    ["30 constraints", withConstraints(times(30, () => constraint(1))), 200],
    ["31 constraints", withConstraints(times(31, () => constraint(1))), 400, "at most 30 constraints"],
    ["5,000 values", withConstraints([constraint(5000)]), 200],
    ["5,001 values", withConstraints([constraint(5001)]), 400, "at most 5000 values"],
    ["a rollout of 0", rollout("0"), 200],
    ["a rollout of 12.5", rollout("12.5"), 200],
    ["a rollout of 100", rollout("100"), 200],
    ["a rollout of 100.1", rollout("100.1"), 400, "number from 0 to 100"],
    ["a rollout below 0", rollout("-1"), 400, "number from 0 to 100"],
    ["an empty rollout", rollout(""), 400, "number from 0 to 100"],
    ["no rollout", rollout(), 400, "is required"],
  ])("a patch with %s", async (_, value, status, message = "") => {
    const feature = await newFeature();
    const answer = await burgee.patchFeature(feature, [replace("/strategies", value)], production);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.json.message).toContain(message);
  });

  it("31 dependencies, or two of one feature, are refused", async () => {
    const feature = await newFeature();
    const many = times(31, (index) => ({ feature: `f${index}` }));
    for (const value of [many, [{ feature: "a" }, { feature: "a" }], [{ feature: "" }]]) {
      expect((await burgee.patchFeature(feature, [add("/dependencies", value)], production)).status).toBe(
        400,
      );
    }
  });

  it("190 KiB of all aspects together, in the environment that is named", async () => {
    const feature = await newFeature();
    const half = withConstraints(
      times(4, (index) => ({ ...constraint(1), values: [String(index).repeat(25_000)] })),
    );
    const big = { targeting: { if: ["x".repeat(100_000)] } };
    const first = await burgee.patchFeature(feature, [replace("/strategies", half)], production);
    const { status, json } = await burgee.patchFeature(feature, [add("/targeting", big)]);

    expect([first.status, status]).toEqual([200, 400]);
    expect(json.message).toMatch(/^environment "production": .*190 KiB/);
  });
});

it.each([
  [
    "enabld",
    'there is no member "enabld"; an environment has enabled, variants, strategies, dependencies, targeting; see /variants/{name}',
  ],
  ["dependencies", 'there is no member "dependencies"; the environment has none: add it at /dependencies'],
  ["targeting", 'there is no member "targeting"; the environment has none: add it at /targeting'],
  ["tags", "an environment has no tags: PUT /api/admin/features/{featureName}/tags"],
])("the error of a patch that replaces /%s, which is absent, says what there is", async (member, advice) => {
  const { status, json } = await burgee.patchFeature(
    await newFeature(),
    [replace(`/${member}`, true)],
    production,
  );

  expect([status, json.message]).toEqual([400, expect.stringContaining(advice)]);
});

it.each([
  ["red", "an environment has enabled, variants, strategies, dependencies, targeting; see /variants/{name}"],
  ["tags", "an environment has no tags: PUT /api/admin/features/{featureName}/tags"],
])(
  "a patch that adds /%s, which no environment has: the error says what there is",
  async (member, advice) => {
    const { status, json } = await burgee.patchFeature(await newFeature(), [
      add(`/${member}`, { weight: 0 }),
    ]);

    expect([status, json.message]).toEqual([
      400,
      `environment "production": the patched environment is invalid: /${member} is not a known member; ${advice}`,
    ]);
  },
);

it("names the project where it is the project that is not there", async () => {
  const feature = await newFeature();

  const [read, patched] = [
    await burgee.getFeature(feature, { project: "defualt" }),
    await burgee.patchFeature(feature, [], { project: "defualt" }),
  ];

  for (const { status, json } of [read, patched]) {
    expect([status, json.message]).toEqual([404, 'There is no project "defualt"']);
  }
});
