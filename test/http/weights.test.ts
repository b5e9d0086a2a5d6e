import { describe, expect, it } from "vitest";
import type { Variant } from "../../lib/contract/variants.ts";
import { refusedInDevelopment } from "../support/answers.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, remove, replace } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";

const burgee = useBurgee();

type Sent = { name: string; weight: number; weightType?: string };

const variable = (name: string, weight = 0): Sent => ({ name, weight });
const fix = (name: string, weight: number): Sent => ({ name, weight, weightType: "fix" });

const letters = (count: number) =>
  Array.from({ length: count }, (_, index) => String.fromCharCode(97 + index));
const weightsOf = (variants: readonly Variant[]) =>
  Object.fromEntries(variants.map(({ name, weight }) => [name, weight]));

describe("what the fix weights leave of 1000 is divided evenly over the variable variants", () => {
  it.each<[string, Sent[], Record<string, number>]>([
    ["one variable variant gets all", [variable("a", 5)], { a: 1000 }],
    ["two get half each", [variable("a", 900), variable("b", 100)], { a: 500, b: 500 }],
    [
      "the first of three gets one more",
      [variable("a"), variable("b"), variable("c")],
      { a: 334, b: 333, c: 333 },
    ],
    [
      "the first four of six get one more",
      letters(6).map((name) => variable(name)),
      {
        a: 167,
        b: 167,
        c: 167,
        d: 167,
        e: 166,
        f: 166,
      },
    ],
    [
      "all but the last of seven get one more",
      letters(7).map((name) => variable(name)),
      {
        a: 143,
        b: 143,
        c: 143,
        d: 143,
        e: 143,
        f: 143,
        g: 142,
      },
    ],
    ["a fix weight is kept", [fix("a", 300), variable("b"), variable("c")], { a: 300, b: 350, c: 350 }],
    ["several fix weights are kept", [fix("a", 1), variable("b"), fix("c", 2)], { a: 1, b: 997, c: 2 }],
    ["a fix weight of 0 is kept", [fix("a", 0), variable("b")], { a: 0, b: 1000 }],
    ["a fix weight of 1000 leaves 0", [fix("a", 1000), variable("b", 1000)], { a: 1000, b: 0 }],
    ["fix weights may sum to 1000", [fix("a", 400), fix("b", 600), variable("c")], { a: 400, b: 600, c: 0 }],
    ["less than one for each", [fix("a", 999), variable("b"), variable("c")], { a: 999, b: 1, c: 0 }],
    ["no variants, no weights", [], {}],
  ])("%s", async (_, value, weights) => {
    const feature = await addFeature(burgee, { environments: { development: [variant("z")] } });

    const { status, json } = await burgee.patch(feature, [replace("", value)]);

    expect(status).toBe(200);
    expect(weightsOf(json.variants)).toEqual(weights);
    const { variants } = await burgee.storedEnvironment(feature, "development");
    expect(variants).toEqual(json.variants);
  });

  it("over more variants than there are parts, the last ones get 0", async () => {
    const feature = await addFeature(burgee);
    const value = Array.from({ length: 1003 }, (_, index) => variable(`v${1000 + index}`));

    const { json } = await burgee.patch(feature, [add("", value)]);

    const weights = json.variants.map(({ weight }: Variant) => weight);
    expect(weights).toEqual([...Array(1000).fill(1), 0, 0, 0]);
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

  it("a new fix weight is dealt around", async () => {
    const environments = { development: [variant("a", { weight: 500 }), variant("b", { weight: 500 })] };
    const feature = await addFeature(burgee, { environments });

    const { json } = await burgee.patch(feature, [
      replace("/0/weightType", "fix"),
      replace("/0/weight", 100),
    ]);

    expect(weightsOf(json.variants)).toEqual({ a: 100, b: 900 });
  });
});

describe("weights that cannot be dealt are refused with 400", () => {
  it.each([
    ["one fix variant alone", [fix("a", 1000)], "variable"],
    ["fix variants alone, whatever they sum to", [fix("a", 400), fix("b", 600)], "variable"],
    ["fix weights that sum to 1001", [fix("a", 500), fix("b", 501), variable("c")], "1000"],
    ["fix weights that sum to 2000", [fix("a", 1000), fix("b", 1000), variable("c")], "1000"],
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
