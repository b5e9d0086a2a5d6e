import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ValidationError } from "../../lib/contract/errors.ts";
import type { Json } from "../../lib/features/json.ts";
import { settle } from "../../lib/features/settle.ts";
import { document, settleable } from "../support/arbitraries.ts";

describe("a patched list", () => {
  it("gets its defaults and its weights", () => {
    expect(settle([{ name: "a", weight: 1 }])).toEqual([
      { name: "a", weight: 1000, weightType: "variable", stickiness: "default" },
    ]);
  });

  it("may be empty", () => {
    expect(settle([])).toEqual([]);
  });

  it("is sorted by name as in English, after the weights are dealt in the order that the patch left", () => {
    const patched = ["b", "B", "a", "_", "10", "9"].map((name) => ({ name, weight: 0 }));

    const settled = settle(patched).map(({ name, weight }) => [name, weight]);

    expect(settled).toEqual([
      ["_", 167],
      ["10", 166],
      ["9", 166],
      ["a", 167],
      ["b", 167],
      ["B", 167],
    ]);
  });

  it.each([
    ["that is no list", {}, "the patched list is not a list of variants: it must be a list"],
    ["of which nothing is left", null, "the patched list is not a list of variants: it must be a list"],
    ["with something else in it", [1], "the patched list is not a list of variants: /0 must be an object"],
    [
      "with several faults",
      [{ name: "a b", weight: "1" }],
      "the patched list is not a list of variants: /0/name must be URL-friendly: letters, digits and -_.!~*'() only (and 1 more)",
    ],
    [
      "with a name twice",
      [
        { name: "a", weight: 0 },
        { name: "a", weight: 0 },
      ],
      "the patched list is not a list of variants: /1/name is the name of variant 0 already: names are unique",
    ],
    [
      "of fix weights alone",
      [{ name: "a", weight: 1000, weightType: "fix" }],
      "the patched list is not valid: at least one variant must be of weightType variable",
    ],
    [
      "whose fix weights are too much",
      [
        { name: "a", weight: 501, weightType: "fix" },
        { name: "b", weight: 500, weightType: "fix" },
        { name: "c", weight: 0 },
      ],
      "the patched list is not valid: the fix weights sum to 1001, more than 1000",
    ],
  ])("%s is refused", (_, patched, message) => {
    expect(() => settle(patched)).toThrow(new ValidationError(message));
  });

  it("is refused in few words, however many faults it has", () => {
    const patched = Array.from({ length: 130_000 }, () => 1);

    expect(() => settle(patched)).toThrow(/^.{1,120} \(and 99 more\)$/);
  });

  it("stays as it was itself", () => {
    const patched: Json = [
      { name: "b", weight: 1 },
      { name: "a", weight: 1 },
    ];

    settle(patched);

    expect(patched).toEqual([
      { name: "b", weight: 1 },
      { name: "a", weight: 1 },
    ]);
  });
});

describe("any patched list", () => {
  it("of good variants comes to sorted unique names and weights that sum to 1000", () => {
    const { compare } = new Intl.Collator("en");
    fc.assert(
      fc.property(settleable, (variants) => {
        const settled = settle(variants as unknown as Json);

        const names = settled.map(({ name }) => name);
        expect(names).toEqual(variants.map(({ name }) => name).toSorted(compare));
        expect(new Set(names).size).toBe(variants.length);
        expect(settled.reduce((sum, { weight }) => sum + weight, 0)).toBe(1000);
      }),
    );
  });

  it("comes to the same, but for who gets one more, in whatever order it is", () => {
    fc.assert(
      fc.property(settleable, (variants) => {
        const forth = settle(variants as unknown as Json);
        const back = settle(variants.toReversed() as unknown as Json);

        expect(back.map(({ name }) => name)).toEqual(forth.map(({ name }) => name));
        expect(back.every(({ weight }, index) => Math.abs(weight - (forth[index]?.weight ?? 0)) <= 1)).toBe(
          true,
        );
      }),
    );
  });

  it("of anything at all is settled or refused with a ValidationError", () => {
    fc.assert(
      fc.property(document, (patched) => {
        try {
          settle(patched);
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError);
        }
      }),
    );
  });
});

describe("names", () => {
  const friendly = fc.string({ unit: fc.constantFrom(..."abzABZ019-_.!~*'()"), minLength: 1, maxLength: 6 });

  it("that differ are never equal in the order, so that no two machines sort them otherwise", () => {
    const { compare } = new Intl.Collator("en");
    fc.assert(
      fc.property(friendly, friendly, (left, right) => {
        expect(compare(left, right) === 0).toBe(left === right);
      }),
      { numRuns: 1000 },
    );
  });
});
