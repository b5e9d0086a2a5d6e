import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Variant } from "../../../lib/contract/variants.ts";
import { normaliseWeights, weightIssue } from "../../../lib/features/variant-list.ts";
import { settleable } from "../../support/arbitraries.ts";

const variable = (name: string, weight = 0): Variant => ({
  name,
  weight,
  weightType: "variable",
  stickiness: "default",
});
const fix = (name: string, weight: number): Variant => ({ ...variable(name, weight), weightType: "fix" });
const isFix = ({ weightType }: Variant) => weightType === "fix";
const weights = (variants: readonly Variant[]) => variants.map(({ weight }) => weight);

describe("the weights", () => {
  it.each([
    ["one variable variant gets all", [variable("a", 7)], [1000]],
    ["two variable variants get half each", [variable("a", 900), variable("b", 100)], [500, 500]],
    ["of three the first gets one more", [variable("c"), variable("a"), variable("b")], [334, 333, 333]],
    [
      "of seven the first six get one more",
      [..."gfedcba"].map((name) => variable(name)),
      [143, 143, 143, 143, 143, 143, 142],
    ],
    [
      "a fix weight is kept, and the rest is divided",
      [fix("a", 100), variable("b"), variable("c")],
      [100, 450, 450],
    ],
    [
      "the extra goes to variable variants only",
      [fix("a", 99), variable("b"), variable("c")],
      [99, 451, 450],
    ],
    ["several fix weights are kept", [fix("a", 1), variable("b"), fix("c", 2)], [1, 997, 2]],
    ["less than one may be left for each", [fix("a", 999), variable("b"), variable("c")], [999, 1, 0]],
    ["a fix weight may leave nothing", [fix("a", 1000), variable("b", 1000)], [1000, 0]],
    ["fix weights may leave nothing", [fix("a", 600), variable("b", 5), fix("c", 400)], [600, 0, 400]],
    ["fix weights may be nothing", [fix("a", 0), variable("b")], [0, 1000]],
    ["no variants have no weights", [], []],
  ])("%s", (_, variants, expected) => {
    expect(weightIssue(variants)).toBeUndefined();
    expect(weights(normaliseWeights(variants))).toEqual(expected);
  });

  it("are refused where every variant is fix, even if they sum to 1000", () => {
    expect(weightIssue([fix("a", 1000)])).toBe("at least one variant must have weightType variable");
    expect(weightIssue([fix("a", 500), fix("b", 500)])).toMatch(/variable$/);
  });

  it("are refused where the fix ones sum to more than 1000", () => {
    expect(weightIssue([fix("a", 600), fix("b", 401), variable("c")])).toBe(
      "the fix weights sum to 1001, more than 1000",
    );
  });

  it("are dealt to more variants than there are parts: the last get none", () => {
    const dealt = weights(
      normaliseWeights(Array.from({ length: 1001 }, (_, index) => variable(`v${index}`))),
    );

    expect(dealt).toEqual([...Array(1000).fill(1), 0]);
  });
});

describe("any variants that can have weights", () => {
  it("get weights that sum to 1000, in the same order, and differ from what they were in nothing else", () => {
    fc.assert(
      fc.property(settleable, (variants) => {
        const before = structuredClone(variants);

        const dealt = normaliseWeights(variants);

        expect(weightIssue(variants)).toBeUndefined();
        expect(weights(dealt).reduce((sum, weight) => sum + weight, 0)).toBe(1000);
        expect(dealt.map((variant, index) => ({ ...variant, weight: variants[index]?.weight }))).toEqual(
          before,
        );
        expect(variants).toEqual(before);
      }),
    );
  });

  it("keep the fix weights, and the variable ones differ by at most one, the larger first", () => {
    fc.assert(
      fc.property(settleable, (variants) => {
        const dealt = normaliseWeights(variants);

        const shares = weights(dealt.filter((variant) => !isFix(variant)));
        expect(dealt.filter(isFix)).toEqual(variants.filter(isFix));
        expect(shares).toEqual(shares.toSorted((left, right) => right - left));
        expect((shares[0] ?? 0) - (shares.at(-1) ?? 0)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("get the same weights when they are dealt again", () => {
    fc.assert(
      fc.property(settleable, (variants) => {
        const dealt = normaliseWeights(variants);

        expect(normaliseWeights(dealt)).toEqual(dealt);
      }),
    );
  });
});
