/** What JSON can say twice, or larger than JavaScript holds it: the value that is judged is the one that is stored. */
import { describe, expect, it } from "vitest";
import { invalid, patchedTo, refusedInDevelopment, tagged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const burgee = useBurgee();

describe("of a member that stands twice the last counts", () => {
  it("for tags", async () => {
    const feature = await addFeature(burgee);
    const body =
      '{"addedTags":[{"type":"simple","value":"first"}],"removedTags":[],"addedTags":[{"type":"simple","value":"last"}]}';

    expect(await burgee.putTags(feature, undefined, { body })).toEqual(tagged(feature, [tag("last")]));
  });

  it("for an operation, which is judged as it is done", async () => {
    const feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });
    const body = '[{"op":"remove","path":"/0","op":"replace","path":"/0/stickiness","value":"userId"}]';

    expect(await burgee.patch(feature, undefined, { body })).toEqual(
      patchedTo([variant("blue", { stickiness: "userId" })]),
    );
  });

  it("and a forbidden name is found although it stands twice", async () => {
    const body = '[{"op":"remove","path":"/0","__proto__":{"polluted":true},"__proto__":1}]';

    expect(await burgee.patch("any", undefined, { body })).toEqual(invalid({ details: expect.any(Array) }));
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("a number as a weight", () => {
  const body = (weight: string) => `[{"op":"add","path":"/-","value":{"name":"green","weight":${weight}}}]`;

  it.each([
    ["infinite", "1e999"],
    ["not to be told from its neighbour", "9007199254740993"],
    ["of 100,000 digits", "9".repeat(100_000)],
  ])("is refused where it is %s", async (_, weight) => {
    const feature = await addFeature(burgee);

    expect(await burgee.patch(feature, undefined, { body: body(weight) })).toEqual(
      refusedInDevelopment("/0/weight"),
    );
    expect(await burgee.storedEnvironment(feature, "development")).toMatchObject({
      variants: [],
      revision: 1,
    });
  });

  it.each([
    ["-0", "-0"],
    ["1e-999", "1e-999"],
    ["0.00...1 with 100,000 digits", `0.${"0".repeat(100_000)}1`],
  ])("is zero however it is written: %s", async (_, weight) => {
    const environments = { development: [variant("blue")] };
    const feature = await addFeature(burgee, { environments });

    const fixed = body(weight).replace('"name"', '"weightType":"fix","name"');

    expect(await burgee.patch(feature, undefined, { body: fixed })).toEqual(
      patchedTo([variant("blue"), variant("green", { weight: 0, weightType: "fix" })]),
    );
    expect(Object.is((await burgee.storedEnvironment(feature, "development")).variants[1]?.weight, 0)).toBe(
      true,
    );
  });
});
