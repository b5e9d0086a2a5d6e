/** That a patch's result is validated. All rules of the fields: test/unit/contract/variants.test.ts */
import { describe, expect, it } from "vitest";
import { patchedTo, refusedInDevelopment } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const blue = { name: "blue", weight: 0 };

describe("the result of a patch", () => {
  it("gets its defaults, and is stored with every field", async () => {
    const feature = await addFeature(burgee);
    const all = {
      stickiness: "userId",
      payload: { type: "json", value: ' [1, {"a": null}] ' },
      overrides: [{ contextName: "region", values: ["eu", "eu"] }],
    };

    const answer = await burgee.patch(feature, [
      { op: "add", path: "/-", value: blue },
      { op: "add", path: "/-", value: { ...blue, name: "red", ...all } },
    ]);

    const stored = [variant("blue", { weight: 500 }), variant("red", { weight: 500, ...all })];
    expect(answer).toEqual(patchedTo(stored));
    expect((await burgee.storedEnvironment(feature, "development")).variants).toEqual(stored);
  });

  it.each<[string, unknown, string]>([
    ["a variant without a name", { weight: 0 }, "/0/name"],
    ["a name with a slash", { ...blue, name: "dark/blue" }, "/0/name"],
    ["a weight over 1000", { ...blue, weight: 1001 }, "/0/weight"],
    [
      "a JSON payload that does not parse",
      { ...blue, payload: { type: "json", value: "{" } },
      "/0/payload/value",
    ],
    ["an override without values", { ...blue, overrides: [{ contextName: "id" }] }, "/0/overrides/0/values"],
    ["an unknown member", { ...blue, color: "#00f" }, "/0/color"],
    ["null", null, "/0"],
  ])("is refused with 400 that names the place, and nothing is stored: %s", async (_, value, place) => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patch(feature, [{ op: "add", path: "/-", value }]);

    expect(answer).toEqual(refusedInDevelopment(place));
    expect(await burgee.storedEnvironment(feature, "development")).toMatchObject({
      variants: [],
      revision: 1,
    });
  });

  it("has unique names: the name of another variant is refused", async () => {
    const environments = { development: [variant("blue")], production: [] };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, [{ op: "add", path: "/-", value: blue }]);

    expect(answer).toEqual(refusedInDevelopment("/1/name", "unique"));
  });

  it("is validated after the last operation only", async () => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patch(feature, [
      { op: "add", path: "/-", value: {} },
      { op: "add", path: "/0/name", value: "blue" },
      { op: "add", path: "/0/weight", value: 0 },
    ]);

    expect(answer).toEqual(patchedTo([variant("blue")]));
  });
});
