/** What the list of variants must be that a patch leaves. */
import { describe, expect, it } from "vitest";
import { patchedTo, refusedInDevelopment } from "../support/answers.ts";
import { useBurgee } from "../support/burgee.ts";
import { addFeature, variant } from "../support/seed.ts";

const burgee = useBurgee();

const blue = { name: "blue", weight: 0 };

describe("a result is refused with 400 that names the place in the list, and nothing is stored, if a variant has", () => {
  const payload = { type: "string", value: "x" };
  const override = { contextName: "userId", values: ["1"] };

  it.each<[string, unknown, string]>([
    ["no name", { weight: 0 }, "/0/name"],
    ["an empty name", { ...blue, name: "" }, "/0/name"],
    ["a name of 101 characters", { ...blue, name: "b".repeat(101) }, "/0/name"],
    ["a name with a space", { ...blue, name: "dark blue" }, "/0/name"],
    ["a name with a slash", { ...blue, name: "dark/blue" }, "/0/name"],
    ["a name with a percent sign", { ...blue, name: "dark%20blue" }, "/0/name"],
    ["a name with a letter that URLs encode", { ...blue, name: "bleuté" }, "/0/name"],
    ["a name with a newline at its end", { ...blue, name: "blue\n" }, "/0/name"],
    ["the name .", { ...blue, name: "." }, "/0/name"],
    ["the name ..", { ...blue, name: ".." }, "/0/name"],
    ["a name that is a number", { ...blue, name: 12 }, "/0/name"],
    ["a name that is null", { ...blue, name: null }, "/0/name"],
    ["no weight", { name: "blue" }, "/0/weight"],
    ["a negative weight", { ...blue, weight: -1 }, "/0/weight"],
    ["a weight over 1000", { ...blue, weight: 1001 }, "/0/weight"],
    ["a weight that is no integer", { ...blue, weight: 0.5 }, "/0/weight"],
    ["a weight that is a text", { ...blue, weight: "100" }, "/0/weight"],
    ["a weight that is null", { ...blue, weight: null }, "/0/weight"],
    ["a weight that is true", { ...blue, weight: true }, "/0/weight"],
    ["another weightType", { ...blue, weightType: "fixed" }, "/0/weightType"],
    ["a weightType in capitals", { ...blue, weightType: "FIX" }, "/0/weightType"],
    ["a weightType that is null", { ...blue, weightType: null }, "/0/weightType"],
    ["an empty stickiness", { ...blue, stickiness: "" }, "/0/stickiness"],
    ["a stickiness that is null", { ...blue, stickiness: null }, "/0/stickiness"],
    ["a stickiness that is a number", { ...blue, stickiness: 12 }, "/0/stickiness"],
    ["a payload that is null", { ...blue, payload: null }, "/0/payload"],
    ["a payload that is a text", { ...blue, payload: "{}" }, "/0/payload"],
    ["a payload that is a list", { ...blue, payload: ["json", "{}"] }, "/0/payload"],
    ["a payload without a type", { ...blue, payload: { value: "x" } }, "/0/payload/type"],
    ["a payload without a value", { ...blue, payload: { type: "string" } }, "/0/payload/value"],
    ["a payload with an empty type", { ...blue, payload: { ...payload, type: "" } }, "/0/payload/type"],
    ["a payload with an empty value", { ...blue, payload: { ...payload, value: "" } }, "/0/payload/value"],
    [
      "a payload's value that is no text",
      { ...blue, payload: { ...payload, value: 12 } },
      "/0/payload/value",
    ],
    [
      "a payload's value that is an object",
      { ...blue, payload: { type: "json", value: {} } },
      "/0/payload/value",
    ],
    [
      "a json payload that does not parse",
      { ...blue, payload: { type: "json", value: "{" } },
      "/0/payload/value",
    ],
    [
      "a json payload that is a number",
      { ...blue, payload: { type: "json", value: "1" } },
      "/0/payload/value",
    ],
    [
      "a json payload that is a text",
      { ...blue, payload: { type: "json", value: '"x"' } },
      "/0/payload/value",
    ],
    [
      "a json payload that is null",
      { ...blue, payload: { type: "json", value: "null" } },
      "/0/payload/value",
    ],
    ["an unknown member in its payload", { ...blue, payload: { ...payload, size: 1 } }, "/0/payload/size"],
    ["overrides that are null", { ...blue, overrides: null }, "/0/overrides"],
    ["overrides that are an object", { ...blue, overrides: override }, "/0/overrides"],
    ["an override that is null", { ...blue, overrides: [null] }, "/0/overrides/0"],
    [
      "an override without contextName",
      { ...blue, overrides: [{ values: [] }] },
      "/0/overrides/0/contextName",
    ],
    [
      "an override with an empty contextName",
      { ...blue, overrides: [override, { ...override, contextName: "" }] },
      "/0/overrides/1/contextName",
    ],
    ["an override without values", { ...blue, overrides: [{ contextName: "id" }] }, "/0/overrides/0/values"],
    [
      "an override whose values are a text",
      { ...blue, overrides: [{ ...override, values: "1" }] },
      "/0/overrides/0/values",
    ],
    [
      "an override with an empty value",
      { ...blue, overrides: [{ ...override, values: ["1", ""] }] },
      "/0/overrides/0/values/1",
    ],
    [
      "an override with a value that is a number",
      { ...blue, overrides: [{ ...override, values: [1] }] },
      "/0/overrides/0/values/0",
    ],
    [
      "an unknown member in an override",
      { ...blue, overrides: [{ ...override, name: "x" }] },
      "/0/overrides/0/name",
    ],
    ["an unknown member", { ...blue, colour: "#00f" }, "/0/colour"],
    ["an unknown member that a tag may have", { ...blue, color: "#00f" }, "/0/color"],
  ])("%s", async (_, value, place) => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patch(feature, [{ op: "add", path: "/-", value }]);

    expect(answer).toEqual(refusedInDevelopment(place));
    const { variants, revision } = await burgee.storedEnvironment(feature, "development");
    expect({ variants, revision }).toEqual({ variants: [], revision: 1 });
  });

  it.each([null, "blue", 12, ["blue"], true])("nothing of a variant: %j", async (value) => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patch(feature, [{ op: "add", path: "/-", value }]);

    expect(answer).toEqual(refusedInDevelopment("/0"));
  });

  it("the name of another: names are unique", async () => {
    const environments = { development: [variant("blue")], production: [] };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, [{ op: "add", path: "/-", value: blue }]);

    expect(answer).toEqual(refusedInDevelopment("/1/name", "unique"));
  });

  it("but names that differ in letter case are different", async () => {
    const feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });

    const answer = await burgee.patch(feature, [{ op: "add", path: "/-", value: { ...blue, name: "Blue" } }]);

    expect(answer).toEqual(patchedTo([variant("blue", { weight: 500 }), variant("Blue", { weight: 500 })]));
  });

  it("a fault only for a while: the list is judged after the last operation", async () => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patch(feature, [
      { op: "add", path: "/-", value: {} },
      { op: "add", path: "/0/name", value: "blue" },
      { op: "add", path: "/0/weight", value: 0 },
    ]);

    expect(answer).toEqual(patchedTo([variant("blue")]));
  });
});
