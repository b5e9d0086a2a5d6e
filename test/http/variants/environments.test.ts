/** Which environments a patch is applied to, and what the response and the table show of each. */
import { describe, expect, it } from "vitest";
import { invalid, naming, notFound, patchedTo, unchanged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, remove, replace, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const blue = variant("blue");
const sticky = variant("blue", { stickiness: "id" });
const half = { weight: 500 };
const addBlue = [add("/-", { name: "blue", weight: 0 })];
const makeSticky = [replace("/0/stickiness", "id")];

describe("a patch of every environment", () => {
  it("is applied to the list of each by itself, and returns that of the first as stored", async () => {
    const environments = {
      production: [variant("red")],
      alpha: [],
      staging: [variant("amber", half), variant("red", half)],
    };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, addBlue);

    const lists = await Promise.all(
      Object.keys(environments).map((environment) => burgee.storedEnvironment(feature, environment)),
    );
    expect(answer).toEqual(patchedTo([variant("blue", half), variant("red", half)]));
    expect(lists.map(({ variants }) => variants)).toEqual([
      answer.json.variants,
      [blue],
      [variant("amber", { weight: 334 }), variant("blue", { weight: 333 }), variant("red", { weight: 333 })],
    ]);
  });

  it("writes one after the other, in the project's order, those that the feature has", async () => {
    const feature = "feature-of-some-environments";
    const none = { variants: [] };
    await burgee.store({
      projects: [{ id: "default", environments: ["production", "alpha", "test", "beta", "staging"] }],
      features: [
        { name: feature, project: "default", environments: { beta: none, production: none, test: none } },
      ],
    });

    await burgee.patch(feature, addBlue);

    expect(burgee.writes()).toEqual(["production", "test", "beta"]);
  });

  it("is applied to each as it was sent: a value that one operation adds is not shared", async () => {
    const feature = await addFeature(burgee);
    const override = { contextName: "userId", values: ["1"] };

    const answer = await burgee.patch(feature, [
      add("/-", { name: "blue", weight: 0, overrides: [] }),
      add("/0/overrides/-", override),
    ]);

    const { variants } = await burgee.storedEnvironment(feature, "production");
    expect(answer).toEqual(patchedTo([variant("blue", { overrides: [override] })]));
    expect(variants).toEqual(answer.json.variants);
  });

  it("of a feature without environments returns an empty list", async () => {
    const feature = await addFeature(burgee, { environments: {} });

    expect(await burgee.patch(feature, addBlue)).toEqual(unchanged([]));
  });
});

describe("a patch of one environment", () => {
  const environments = { development: [blue], production: [blue] };
  const environment = "production";
  const addRed = [add("/-", { name: "red", weight: 7 })];

  it("is applied there and nowhere else, and returns what is stored", async () => {
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, addRed, { environment });

    const variants = [variant("blue", half), variant("red", half)];
    expect(answer).toEqual(patchedTo(variants, "production=patched"));
    expect(burgee.writes()).toEqual([environment]);
    expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({
      project: "default",
      variants,
      revision: 2,
      changed: { feature, by: "admin", at: expect.any(String), request: expect.any(String) },
    });
  });

  it("that is not valid there returns 400 and writes nothing", async () => {
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, [...addRed, add("/9/name", "x")], { environment });

    const message = naming("operation 1", "/9/name");
    expect(answer).toEqual(invalid({ message, details: [{ environment, outcome: "failed", message }] }));
    expect(burgee.writes()).toEqual([]);
  });

  it("reads the feature and that environment only, however many there are", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, []);
    burgee.wire.reset();

    await burgee.patch(feature, addRed, { environment });

    expect(burgee.wire.calls.map(({ operation }) => operation)).toEqual(["GetItem", "GetItem", "UpdateItem"]);
  });

  it("returns 404, naming the environment, when it is unknown or removed", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.remove(await burgee.storedEnvironment(feature, environment));

    for (const missing of ["nowhere", environment]) {
      const answer = await burgee.patch(feature, addRed, { environment: missing });

      expect(answer).toEqual(notFound());
      expect(answer.json.message).toEqual(naming(feature, missing));
    }
  });
});

it.each([
  ["a patch", addBlue, undefined],
  ["an empty patch", [], undefined],
  ["a patch of one environment", addBlue, "development"],
])(
  "%s returns the same 404 for an unknown project, an unknown feature and one of another project",
  async (_, patch, environment) => {
    const feature = await addFeature(burgee, { project: "its-own" });
    await addFeature(burgee, { project: "default" });

    const answers = [
      await burgee.patch(feature, patch, { environment, project: "missing" }),
      await burgee.patch("missing", patch, { environment }),
      await burgee.patch(feature, patch, { environment }),
    ];

    const [unknownProject, unknown, otherProject] = answers.map(({ json }) => json.message);
    expect(answers).toEqual(times(3, notFound));
    expect(unknownProject).toEqual(naming("missing", feature));
    expect(otherProject.replace(feature, "")).toBe(unknown.replace("missing", ""));
    expect(burgee.writes()).toEqual([]);
  },
);

describe("an environment that a patch leaves as it was", () => {
  it("is not written", async () => {
    const environments = { development: [blue], staging: [sticky], production: [blue] };
    const feature = await addFeature(burgee, { environments });
    const before = await burgee.storedEnvironment(feature, "staging");

    await burgee.patch(feature, makeSticky);

    expect(burgee.writes()).toEqual(["development", "production"]);
    expect(await burgee.storedEnvironment(feature, "staging")).toEqual(before);
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
  });

  it("keeps the order of an import until its first patch, which applies to that order and normalises it", async () => {
    const variants = [variant("blue", { weight: 7 }), variant("amber", { weight: 7 })];
    const feature = await addFeature(burgee, { environments: { development: variants } });

    expect(await burgee.patch(feature, [])).toEqual(unchanged(variants, "development"));
    expect(burgee.writes()).toEqual([]);
    expect((await burgee.patch(feature, [replace("/0/stickiness", "userId")])).json.variants).toEqual([
      variant("amber", { weight: 500 }),
      variant("blue", { weight: 500, stickiness: "userId" }),
    ]);
  });

  it.each([
    ["a variant added and removed again", [add("/-", { name: "red", weight: 0 }), remove("/1")]],
    ["a weight that is normalised to what it was", [replace("/0/weight", 3)]],
    ["members in another order", [replace("/0", { weight: 0, stickiness: "default", name: "blue" })]],
  ])("is not written after %s", async (_, patch) => {
    const feature = await addFeature(burgee, { environments: { development: [blue] } });

    expect(await burgee.patch(feature, patch)).toEqual(unchanged([blue], "development"));
    expect(burgee.writes()).toEqual([]);
  });
});

describe("the header burgee-environments of a success", () => {
  it.each([
    [
      "has each outcome in the project's order",
      { zulu: [blue], mike: [sticky], alpha: [blue] },
      "zulu=patched, mike=unchanged, alpha=patched",
    ],
    [
      "has percent-encoded names, as a header has no other characters",
      { "a=b, c\r\nx: y": [blue], "ü🏁": [blue] },
      "a%3Db%2C%20c%0D%0Ax%3A%20y=patched, %C3%BC%F0%9F%8F%81=patched",
    ],
  ])("%s", async (_, environments, header) => {
    const feature = await addFeature(burgee, { environments });

    expect(await burgee.patch(feature, makeSticky)).toEqual(patchedTo([sticky], header));
  });

  it("is absent where it would be longer than 4,096 characters", async () => {
    const withLast = (last: string) =>
      Object.fromEntries([...times(4, (at) => String(at).repeat(807)), last].map((name) => [name, []]));
    const longest = await addFeature(burgee, { environments: withLast("x".repeat(810)) });
    const longer = await addFeature(burgee, { project: "long", environments: withLast("x".repeat(811)) });

    const fits = await burgee.patch(longest, []);
    const tooLong = await burgee.patch(longer, [], { project: "long" });

    expect(fits.headers["burgee-environments"]).toHaveLength(4096);
    expect(tooLong.headers).not.toHaveProperty("burgee-environments");
    expect(tooLong.status).toBe(200);
  });
});
