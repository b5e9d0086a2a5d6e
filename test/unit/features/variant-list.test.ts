import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ValidationError } from "../../../lib/contract/errors.ts";
import type { Json } from "../../../lib/features/json-patch/json.ts";
import { fromDocument } from "../../../lib/features/variant-list.ts";
import { document, settleable } from "../../support/arbitraries.ts";

describe("a patched list", () => {
  it("gets its defaults and its weights, and may be empty", () => {
    expect(fromDocument([], "index")).toEqual([]);
    expect(fromDocument([{ name: "a", weight: 1 }], "index")).toEqual([
      { name: "a", weight: 1000, weightType: "variable", stickiness: "default" },
    ]);
  });

  it("has its weights normalised in the order that the patch left, before it is sorted, and stays as it was itself", () => {
    const patched = ["b", "B", "a", "_", "10", "9"].map((name) => ({ name, weight: 0 }));

    const before = structuredClone(patched);

    const settled = fromDocument(patched, "index").map(({ name, weight }) => [name, weight]);

    expect(patched).toEqual(before);
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
    ["letters", ["apple", "banana", "cherry"]],
    ["lower case before the same upper case, whatever follows", ["a", "A", "b", "B"]],
    ["letters before their case", ["apple", "Banana", "cherry"]],
    ["punctuation, digits, letters", ["_a", "-a", "0a", "aa"]],
    ["digits as characters, not as numbers", ["v1", "v10", "v2"]],
    ["pairs that are one letter in other languages as two", ["aa", "ab", "ch", "ci", "hz", "tz", "zz"]],
    ["the shorter of two first", ["team", "team-a", "teams"]],
  ])("is sorted by name as in English: %s", (_, names) => {
    const patched = names.toReversed().map((name) => ({ name, weight: 0 }));

    expect(fromDocument(patched, "index").map(({ name }) => name)).toEqual(names);
  });

  const named = (name: string, weight = 0, weightType?: string) => ({ name, weight, weightType }) as Json;

  it.each<[string, Json]>([
    ["it must be a list", {}],
    ["it must be a list", null],
    ["/0 must be an object", [1]],
    [
      "/0/name must be URL-friendly: letters, digits and -_.!~*'() only (and 1 more)",
      [{ name: "a b", weight: "1" }],
    ],
    ["/1/name is already the name of variant 0: names are unique", [named("a"), named("a")]],
    ["at least one variant must have weightType variable", [named("a", 1000, "fix")]],
    [
      "the fix weights sum to 1001, more than 1000",
      [named("a", 501, "fix"), named("b", 500, "fix"), named("c")],
    ],
  ])("is refused because %s: %j", (reason, patched) => {
    const message = `The patched variants are invalid: ${reason}`;

    expect(() => fromDocument(patched, "index")).toThrow(new ValidationError(message));
  });

  it("is refused by name with the name of the variant, also after the ninth", () => {
    const patched = Object.fromEntries(
      [..."abcdefghijkl"].map((name) => [name, { weight: name === "l" ? -1 : 0 }]),
    );

    expect(() => fromDocument(patched, "name")).toThrow("variants are invalid: /l/weight must be");
  });

  it("is refused in few words, however many issues it has", () => {
    const patched = Array.from({ length: 130_000 }, () => 1);

    expect(() => fromDocument(patched, "index")).toThrow(/^.{1,120} \(and 99 more\)$/);
  });
});

describe("any patched list", () => {
  it("of good variants comes to sorted unique names and weights that sum to 1000", () => {
    const { compare } = new Intl.Collator("en");
    fc.assert(
      fc.property(settleable, (variants) => {
        const settled = fromDocument(variants as unknown as Json, "index");

        const names = settled.map(({ name }) => name);
        expect(names).toEqual(variants.map(({ name }) => name).toSorted(compare));
        expect(new Set(names).size).toBe(variants.length);
        expect(settled.reduce((sum, { weight }) => sum + weight, 0)).toBe(1000);
      }),
    );
  });

  it("has the same result in any order, except for which variants get one more", () => {
    fc.assert(
      fc.property(settleable, (variants) => {
        const forth = fromDocument(variants as unknown as Json, "index");
        const back = fromDocument(variants.toReversed() as unknown as Json, "index");

        expect(back.map(({ name }) => name)).toEqual(forth.map(({ name }) => name));
        expect(back.every(({ weight }, index) => Math.abs(weight - (forth[index]?.weight ?? 0)) <= 1)).toBe(
          true,
        );
      }),
    );
  });

  it("of any JSON is normalised or refused with a ValidationError", () => {
    fc.assert(
      fc.property(document, (patched) => {
        try {
          fromDocument(patched, "index");
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
