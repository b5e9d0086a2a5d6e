import { describe, expect, it } from "vitest";
import type { Variant } from "../../../lib/contract/variants.ts";
import { refusedInDevelopment } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, remove, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

type Sent = { name: string; weight: number; weightType?: string };

const variable = (name: string, weight = 0): Sent => ({ name, weight });
const fix = (name: string, weight: number): Sent => ({ name, weight, weightType: "fix" });

const weightsOf = (variants: readonly Variant[]) =>
  Object.fromEntries(variants.map(({ name, weight }) => [name, weight]));

describe("what the fix weights leave of 1000 is divided evenly over the variable variants", () => {
  it.each<[string, Sent[], Record<string, number>]>([
    ["a fix weight is kept", [fix("a", 300), variable("b"), variable("c")], { a: 300, b: 350, c: 350 }],
    ["a fix weight of 1000 leaves 0", [fix("a", 1000), variable("b", 1000)], { a: 1000, b: 0 }],
    ["no variants, no weights", [], {}],
  ])("%s", async (_, value, weights) => {
    const feature = await addFeature(burgee, { environments: { development: [variant("z")] } });

    const { status, json } = await burgee.patch(feature, [replace("", value)]);

    expect(status).toBe(200);
    expect(weightsOf(json.variants)).toEqual(weights);
    const { variants } = await burgee.storedEnvironment(feature, "development");
    expect(variants).toEqual(json.variants);
  });

  it("the first ones in the order that the patch left get one more, not the first by name", async () => {
    const feature = await addFeature(burgee);

    const { json } = await burgee.patch(feature, [
      add(
        "",
        ["c", "a", "b"].map((name) => variable(name)),
      ),
    ]);

    expect(json.variants).toEqual([
      variant("a", { weight: 333 }),
      variant("b", { weight: 333 }),
      variant("c", { weight: 334 }),
    ]);
  });

  it("weights sum to 1000 after every patch", async () => {
    const feature = await addFeature(burgee);
    const patches = [
      [add("/-", variable("a", 10)), add("/-", variable("b", 10))],
      [add("/-", fix("c", 333))],
      [replace("/2/weight", 1)],
      [add("/-", variable("d"))],
      [replace("/0/weightType", "fix")],
      [remove("/1")],
    ];

    for (const patch of patches) {
      const { json } = await burgee.patch(feature, patch);

      expect(json.variants.reduce((sum: number, { weight }: Variant) => sum + weight, 0)).toBe(1000);
    }
  });
});

describe("weights that cannot be dealt are refused with 400", () => {
  it.each([
    ["one fix variant alone", [fix("a", 1000)], "variable"],
    ["fix weights that sum to 1001", [fix("a", 500), fix("b", 501), variable("c")], "1000"],
  ])("%s", async (_, value, word) => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patch(feature, [add("", value)]);

    expect(answer).toEqual(refusedInDevelopment(word));
    expect((await burgee.storedEnvironment(feature, "development")).revision).toBe(1);
  });

  it("the removal of the last variable variant", async () => {
    const environments = {
      development: [variant("a"), variant("b", { weight: 0, weightType: "fix" })],
      production: [],
    };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, [remove("/0")]);

    expect(answer).toEqual(refusedInDevelopment("variable"));
  });
});
