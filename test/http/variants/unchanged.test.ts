import { describe, expect, it } from "vitest";
import { patchedTo } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, remove, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const addBlue = [add("/-", { name: "blue", weight: 0 })];

/** The environments in the order in which they were written. */
const written = () =>
  burgee.wire.calls
    .filter(({ operation }) => operation === "UpdateItem")
    .map(({ input }) => JSON.stringify(input.Key).match(/ENVIRONMENT#(\w+)/)?.[1]);

describe("an empty patch", () => {
  it("is answered with 200 and the variants as they are, and writes nothing", async () => {
    const variants = [variant("blue", { weight: 7 }), variant("amber", { weight: 7 })];
    const feature = await addFeature(burgee, { environments: { development: variants, production: [] } });

    const answer = await burgee.patch(feature, []);

    expect(answer).toEqual(patchedTo(variants));
    expect(written()).toEqual([]);
  });
});

describe("an environment that the patch leaves as it was", () => {
  it("is not written, and its revision stays", async () => {
    const environments = {
      development: [variant("blue")],
      staging: [variant("blue", { stickiness: "userId" })],
      production: [variant("blue")],
    };
    const feature = await addFeature(burgee, { environments });
    const before = await burgee.storedEnvironment(feature, "staging");

    await burgee.patch(feature, [replace("/0/stickiness", "userId")]);

    expect(written()).toEqual(["development", "production"]);
    expect(await burgee.storedEnvironment(feature, "staging")).toEqual(before);
    expect((await burgee.storedEnvironment(feature, "production")).revision).toBe(2);
  });

  it.each([
    ["a value replaced with itself", [replace("/0/name", "blue")]],
    ["a variant added and removed again", [...addBlue, remove("/1")]],
    ["a weight that is dealt afresh", [replace("/0/weight", 3)]],
    ["a copy of the whole list onto itself", [{ op: "copy", from: "", path: "" }]],
    ["a move of the whole list onto itself", [{ op: "move", from: "", path: "" }]],
    [
      "a variant replaced with its members in another order",
      [replace("/0", { weight: 0, stickiness: "default", name: "blue" })],
    ],
  ])("is not written either after %s", async (_, patch) => {
    const feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });

    const answer = await burgee.patch(feature, patch);

    expect(answer).toEqual(patchedTo([variant("blue")]));
    expect((await burgee.storedEnvironment(feature, "development")).revision).toBe(1);
  });
});
