/** Strategies and targeting: a part of the environment, with the guarantees of its variants. */
import { beforeEach, describe, expect, it } from "vitest";
import { fromStoredChange } from "../../../lib/store/items/stored-content.ts";
import { featurePath, useBurgee } from "../../support/burgee.ts";
import { add, copy, move, remove, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();
const blue = [variant("blue")];
let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, {
    environments: { development: blue, production: blue },
    enabled: true,
  });
});

const production = { environment: "production" };
const rollout = {
  name: "flexibleRollout",
  parameters: { rollout: "25", stickiness: "default", groupId: "g" },
};
const stored = { ...rollout, sortOrder: 9999, constraints: [], variants: {} };
const targeting = { targeting: { if: [{ "==": [{ var: "plan" }, "pro"] }, "blue"] }, defaultVariant: null };

const patch = (operations: unknown[], options = {}) =>
  burgee.patchFeature(feature, operations, { ...production, ...options });
const here = async () => (await burgee.getFeature(feature, { query: "by=name" })).json.environments[1];

describe("a patch of an environment", () => {
  it("adds a strategy and switches in one write", async () => {
    const { status, json, headers } = await patch([
      add("/strategies/s1", rollout),
      replace("/enabled", false),
    ]);

    const environment = {
      environment: "production",
      enabled: false,
      strategies: { s1: stored },
    };
    expect({ status, json }).toMatchObject({
      status: 200,
      json: { version: 1, environments: [environment] },
    });
    expect(headers).toMatchObject({ "burgee-environments": "production=patched" });
    expect(burgee.writes()).toEqual(["production"]);
    expect((await burgee.storedEnvironment(feature, "production")).carriedNewest?.old).toEqual({
      enabled: true,
      audience: { strategies: [] },
    });
  });

  it("changes the rollout of one strategy, and stores what was there", async () => {
    await patch([add("/strategies/s1", rollout)]);

    await patch([replace("/strategies/s1/parameters/rollout", "50")]);

    expect((await here()).strategies.s1.parameters.rollout).toBe("50");
    const { carriedNewest: last } = await burgee.storedEnvironment(feature, "production");
    expect(Object.keys(last?.old ?? {})).toEqual(["audience"]);
    expect(last && fromStoredChange(last).old.strategies?.[0]?.parameters.rollout).toBe("25");
  });

  it("packs what is long, and restores it exactly", async () => {
    const values = Array.from({ length: 200 }, (_, index) => `user-${index}`);
    const long = { ...rollout, constraints: [{ contextName: "userId", operator: "IN", values }] };
    const { headers } = await patch([add("/strategies/s1", long)]);
    const later = await patch([remove("/strategies/s1")]);

    expect((await burgee.storedEnvironment(feature, "production")).carriedNewest?.old.audience).toMatch(
      /^[\w+/=]+$/,
    );
    await burgee.undo(feature, later.headers["burgee-change"] ?? "", production);
    expect((await here()).strategies.s1).toMatchObject(long);
    await burgee.undo(feature, headers["burgee-change"] ?? "", production);
    expect((await here()).strategies).toEqual({});
  });

  it("keeps the order by sortOrder, then by id", async () => {
    const first = { ...rollout, sortOrder: 1 };
    await patch([add("/strategies/b", rollout), add("/strategies/a", rollout), add("/strategies/z", first)]);

    expect(Object.keys((await here()).strategies)).toEqual(["z", "a", "b"]);
  });

  it("normalises the weights of a strategy's variants, and keeps their order", async () => {
    const variants = { z: { weight: 0 }, a: { weight: 0 } };
    await patch([add("/strategies/s1", { ...rollout, variants })]);

    await patch([add("/strategies/s1/variants/b", { weight: 100, weightType: "fix" })]);

    const { variants: after } = (await here()).strategies.s1;
    expect(Object.entries(after).map(([name, one]) => [name, (one as { weight: number }).weight])).toEqual([
      ["z", 450],
      ["a", 450],
      ["b", 100],
    ]);
  });

  it("orders a strategy's variants as they are sent, but for names that are whole numbers", async () => {
    const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { weight: 0 }]));
    const orderOf = async () => Object.keys((await here()).strategies.s1.variants);
    await patch([add("/strategies/s1", { ...rollout, variants: named("z", "a") })]);

    const preview = await patch([replace("/strategies/s1/variants", named("a", "z"))], { dryRun: true });
    await patch(preview.json.environments[0].difference);

    expect(preview.json.environments[0].difference).toMatchObject([
      { op: "replace", path: "/strategies/s1/variants" },
    ]);
    expect(await orderOf()).toEqual(["a", "z"]);
    await patch([add("/strategies/s1/variants/7", { weight: 0 })]);
    const { strategies } = (await burgee.getFeature(feature)).json.environments[1];
    expect(strategies[0].variants.map(({ name }: { name: string }) => name)).toEqual(["a", "z", "7"]);
  });

  it("has flagd's own logic as it was sent", async () => {
    await patch([add("/targeting", targeting)]);

    expect((await here()).targeting).toEqual(targeting);
    await patch([replace("/targeting/targeting/if/1", "blue"), remove("/targeting")]);
    expect((await here()).targeting).toBeUndefined();
  });

  it.each([
    [
      "an unknown operator",
      [add("/strategies/s1", { ...rollout, constraints: [{ contextName: "a", operator: "IS" }] })],
      "/strategies/s1/constraints/0/operator",
    ],
    [
      "a list that is missing",
      [add("/strategies/s1", { ...rollout, constraints: [{ contextName: "a", operator: "IN" }] })],
      "/strategies/s1/constraints/0/values",
    ],
    [
      "a number that is none",
      [
        add("/strategies/s1", {
          ...rollout,
          constraints: [{ contextName: "a", operator: "NUM_GT", value: "x" }],
        }),
      ],
      "/strategies/s1/constraints/0/value",
    ],
    [
      "a regular expression that no SDK can compile",
      [
        add("/strategies/s1", {
          ...rollout,
          constraints: [{ contextName: "a", operator: "REGEX", value: "(", inverted: true }],
        }),
      ],
      "/strategies/s1/constraints/0/value",
    ],
    ["a strange id", [add("/strategies/a b", rollout)], "/strategies/a b"],
    [
      "an override",
      [add("/strategies/s1", { ...rollout, variants: { a: { weight: 1, overrides: [] } } })],
      "/strategies/s1/variants/a/overrides",
    ],
    [
      "a parameter that is no text",
      [add("/strategies/s1", { ...rollout, parameters: { rollout: 25 } })],
      "/strategies/s1/parameters/rollout",
    ],
    [
      "a parameter without a name",
      [add("/strategies/s1", { ...rollout, parameters: { ...rollout.parameters, "": "x" } })],
      "/strategies/s1/parameters/",
    ],
    [
      "a parameter whose name DynamoDB could not store",
      [
        add("/strategies/s1", {
          ...rollout,
          parameters: { ...rollout.parameters, ["x".repeat(80_000)]: "x" },
        }),
      ],
      "/strategies/s1/parameters",
    ],
    ["another member", [add("/other", 1)], "/other"],
    ["no switch", [remove("/enabled")], "/enabled"],
    ["a targeting of another form", [add("/targeting", { targeting: 1 })], "/targeting/targeting"],
  ])("is refused for %s, with its place", async (_, operations, path) => {
    const { status, json } = await patch(operations);

    expect([status, json.details[0].environment, json.details[0].issues[0].path]).toEqual([
      400,
      "production",
      path,
    ]);
    expect(burgee.writes()).toEqual([]);
  });

  it("accepts a parameter with a name of 255 characters, and refuses a longer one by each form of a patch", async () => {
    const name = "😀".repeat(255);
    await patch([add("/strategies/s1", { ...rollout, parameters: { ...rollout.parameters, [name]: "x" } })]);
    expect((await here()).strategies.s1.parameters).toHaveProperty(name, "x");

    const longer = { ...rollout.parameters, [`${name}x`]: "x" };
    const place = featurePath(feature, { ...production, below: "/strategies" });
    const answers = [
      await patch([add(`/strategies/s1/parameters/${name}x`, "x")]),
      await burgee.send({ method: "POST", path: place, json: { ...rollout, parameters: longer } }),
      await burgee.send({ method: "PUT", path: `${place}/s1`, json: { ...rollout, parameters: longer } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(answers[1]?.json.details[0].message).toBe("must have 1 to 255 characters");
  });

  it("is refused where it would take more than 190 KiB together", async () => {
    const values = Array.from({ length: 4 }, () => "x".repeat(50_000));
    const constraints = [{ contextName: "userId", operator: "IN", values }];

    const { status, json } = await patch([add("/strategies/s1", { ...rollout, constraints })]);

    const tooLarge = "the variants and strategies of an environment would take more than 190 KiB";
    expect([status, json.message]).toEqual([400, expect.stringContaining(tooLarge)]);
  });

  it("leaves alone what it does not touch, also what a patch would share otherwise", async () => {
    const uneven = [variant("a", { weight: 700 }), variant("b", { weight: 300 })];
    const name = await addFeature(burgee, { environments: { production: uneven } });

    await burgee.patchFeature(name, [replace("/enabled", true)], production);

    const { variants, carriedNewest: last } = await burgee.storedEnvironment(name, "production");
    expect([variants, last?.old]).toEqual([uneven, { enabled: false }]);
  });

  it("in every environment is as one of the variants: one after the other", async () => {
    const { status, headers } = await burgee.patchFeature(feature, [add("/strategies/s1", rollout)]);

    expect([status, headers["burgee-environments"]]).toEqual([
      200,
      "development=patched, production=patched",
    ]);
  });

  it("shows in a dry run what would change, and writes nothing", async () => {
    const { json } = await patch([add("/strategies/s1", rollout), replace("/enabled", false)], {
      dryRun: true,
    });

    expect(json.environments[0]).toMatchObject({
      outcome: "would patch",
      enabled: false,
      difference: [
        { op: "replace", path: "/enabled", value: false },
        { op: "add", path: "/strategies/s1", value: stored },
      ],
    });
    expect(burgee.writes()).toEqual([]);
  });

  it("is applied once with an idempotency key, and on its ETag", async () => {
    const headers = { "idempotency-key": "k" };
    const first = await patch([add("/strategies/s1", rollout)], { headers });
    const again = await patch([add("/strategies/s1", rollout)], { headers });
    const stale = await patch([remove("/strategies/s1")], { headers: { "if-match": '"other"' } });

    expect([first.status, again.status, stale.status]).toEqual([200, 200, 412]);
    expect(burgee.writes()).toEqual(["production"]);
  });
});

describe("an undo", () => {
  it("restores the strategies, and the list of changes makes the change again", async () => {
    const { headers } = await patch([add("/strategies/s1", rollout), add("/targeting", targeting)]);
    const change = headers["burgee-change"] ?? "";

    const { json } = await burgee.getChanges(feature, production);
    const preview = await burgee.undo(feature, change, { ...production, dryRun: true });
    const undone = await burgee.undo(feature, change, production);

    const [made] = json.changes[0].environments;
    expect(made).toMatchObject({
      isTop: true,
      canUndo: true,
      difference: [{ path: "/strategies/s1" }, { path: "/targeting" }],
    });
    expect(preview.json.environments[0].difference).toEqual([
      { op: "remove", path: "/strategies/s1" },
      { op: "remove", path: "/targeting" },
    ]);
    expect([undone.status, await here()]).toMatchObject([200, { strategies: {} }]);
    await patch(made.difference);
    expect(await here()).toMatchObject({ strategies: { s1: stored }, targeting });
  });
});

describe("the permissions of a patch", () => {
  const lacking = (permission: string) => ({ permission, environment: "production" });
  const [ofSwitch, ofVariants, ofStrategies] = ["ENVIRONMENT", "ENVIRONMENT_VARIANTS", "STRATEGY"].map(
    (name) => lacking(`UPDATE_FEATURE_${name}`),
  );
  it.each([
    ["the switch", [replace("/enabled", true)], [ofSwitch]],
    ["variants", [add("/variants/red", { weight: 1 })], [ofVariants]],
    ["strategies", [add("/strategies/s1", rollout)], [ofStrategies]],
    ["targeting", [add("/targeting", targeting)], [ofStrategies]],
    ["all", [copy("", "/strategies/s1")], [ofStrategies]],
    ["what is moved", [move("/variants/blue", "/strategies/s1")], [ofVariants, ofStrategies]],
    ["the whole", [replace("", {})], [ofVariants, ofSwitch, ofStrategies]],
  ])("are those of what its paths name: %s", async (_, operations, missing) => {
    const key = await burgee.keyWith({ permission: "READ" });

    const { json } = await patch(operations, { key, dryRun: true });

    expect(json.missingPermissions).toEqual(missing);
  });

  it("of strategies are enough in one environment, and for an undo", async () => {
    const permission = "UPDATE_FEATURE_STRATEGY";
    const key = await burgee.keyWith({ permission, project: "default", environment: "production" });

    const made = await patch([add("/strategies/s1", rollout)], { key });
    const elsewhere = await burgee.patchFeature(feature, [add("/strategies/s1", rollout)], { key });
    const undone = await burgee.undo(feature, made.headers["burgee-change"] ?? "", { ...production, key });

    expect([made.status, elsewhere.status, undone.status]).toEqual([200, 403, 200]);
  });
});

describe("Unleash's paths", () => {
  const path = (below = "") =>
    `/api/admin/projects/default/features/${feature}/environments/production/strategies${below}`;
  const send = (json: unknown, below = "/s1") => burgee.send({ method: "PATCH", path: path(below), json });
  beforeEach(async () => {
    await patch([add("/strategies/s1", { ...rollout, variants: { a: { weight: 1 }, b: { weight: 1 } } })]);
  });

  it("list the strategies", async () => {
    const { json } = await burgee.send({ method: "GET", path: path() });

    expect(json).toMatchObject([{ id: "s1", ...rollout, variants: [{ name: "a" }, { name: "b" }] }]);
  });

  it("patch one, with its variants by index, and return it", async () => {
    const { status, json } = await send([replace("/parameters/rollout", "75"), remove("/variants/0")]);

    expect({ status, json }).toMatchObject({
      status: 200,
      json: { id: "s1", parameters: { rollout: "75" }, variants: [{ name: "b", weight: 1000 }] },
    });
  });

  it("refuse another id, and one that is not there", async () => {
    const answers = [
      await send([replace("/id", "s2")]),
      await send([], "/s2"),
      await send([remove("/title")], "/s2"),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 404, 404]);
  });
});
