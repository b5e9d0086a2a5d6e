/** Patched lists of variants: their validity, weights and order. */
import { describe, expect, it } from "vitest";
import { ValidationError } from "../../../../lib/contract/errors.ts";
import type { Json } from "../../../../lib/contract/json.ts";
import type { Variant } from "../../../../lib/contract/variants.ts";
import { requireRoom } from "../../../../lib/features/patch/content-size.ts";
import {
  isSharedEvenly,
  normaliseVariants,
  normaliseWeights,
  parsePatchedVariants,
  weightIssue,
} from "../../../../lib/features/patch/variant-list.ts";
import { storedBytes } from "../../../../lib/features/stored-bytes.ts";
import { sameIssueAt } from "../../../support/answers.ts";
import { normalisable, tree } from "../../../support/arbitraries.ts";
import { times } from "../../../support/patching.ts";
import { itProp } from "../../../support/property.ts";
import { variant } from "../../../support/seed.ts";

const alone = (variants: Variant[]) => ({ variants, strategies: [], dependencies: [], targeting: null });
const fromList = (patched: unknown) => normaliseVariants(parsePatchedVariants(patched as Json, "index"));
const long = "a".repeat(501);
const variable = (name: string, weight = 0) => variant(name, { weight });
const fix = (name: string, weight: number) => variant(name, { weight, weightType: "fix" });
const variables = (...names: string[]) => names.map((name) => variable(name));
const isFix = ({ weightType }: Variant) => weightType === "fix";
const weights = (variants: readonly Variant[]) => variants.map(({ weight }) => weight);
const sum = (variants: readonly Variant[]) => weights(variants).reduce((left, right) => left + right, 0);
const names = (variants: readonly { name: string }[]) => variants.map(({ name }) => name);

describe("a patched list", () => {
  it("gets its defaults and its weights, and may be empty", () => {
    expect(fromList([])).toEqual([]);
    expect(fromList([{ name: "a", weight: 1 }])).toEqual([variant("a")]);
  });

  it("has its weights normalised in the patched order, then is sorted, without modifying the input", () => {
    const patched = ["b", "B", "a", "_", "10", "9"].map((name) => ({ name, weight: 0 }));
    const before = structuredClone(patched);

    const normalised = fromList(patched);

    expect(patched).toEqual(before);
    expect(names(normalised)).toEqual(["_", "10", "9", "a", "b", "B"]);
    expect(weights(normalised)).toEqual([167, 166, 166, 167, 167, 167]);
  });

  it.each([
    ["lower case before upper case of the same letter", ["a", "A", "b", "B"]],
    ["punctuation, digits, letters", ["_a", "-a", "0a", "aa"]],
    ["digits as characters, not as numbers", ["v1", "v10", "v2"]],
    ["pairs of letters as two letters", ["aa", "ab", "ch", "ci", "hz", "tz", "zz"]],
  ])("is sorted by name as in English: %s", (_, sorted) => {
    expect(names(fromList(sorted.toReversed().map((name) => ({ name, weight: 0 }))))).toEqual(sorted);
  });

  const unfriendly = [{ name: "a b", weight: "1" }];

  it.each<[string, unknown]>([
    ["it must be a list", {}],
    ["it must be a list", null],
    ["/0 must be an object", [1]],
    [
      `/0/name must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."; /0/weight must be a number`,
      unfriendly,
    ],
    ["/1/name is already the name of variant 0: names are unique", [variable("a"), variable("a")]],
    ['every variant has weightType "fix": give at least one the weightType "variable"', [fix("a", 1000)]],
    ["the fix weights sum to 1001, more than 1000", [fix("a", 501), fix("b", 500), variable("c")]],
  ])("is refused because %s: %j", (reason, patched) => {
    expect(() => fromList(patched)).toThrow(`The patched variants are invalid: ${reason}`);
  });

  it("is refused by name with a pointer to the variant, also after the ninth", () => {
    const entries = [..."abcdefghijkl"].map((name) => [name, { weight: name === "l" ? -1 : 0 }]);

    expect(() => parsePatchedVariants(Object.fromEntries(entries), "name")).toThrow(
      "variants are invalid: /l/weight must be",
    );
  });

  it("is refused by name without a pointer, where a name is too long for one", () => {
    const patched = { [long]: { weight: -1 } };

    expect(() => parsePatchedVariants(patched, "name")).toThrow(
      expect.objectContaining({
        details: [expect.objectContaining({ path: "" }), expect.objectContaining({ path: "" })],
      }),
    );
  });

  it.each([[[]], [null], [1]])("is refused by name if it is %j", (patched) => {
    expect(() => parsePatchedVariants(patched, "name")).toThrow(
      "invalid: it must be an object of variants by name",
    );
  });

  it("is refused by name with the issues of a name alone", () => {
    const details = sameIssueAt(
      `must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."`,
      "/a b",
    );

    expect(() => parsePatchedVariants({ "a b": { weight: 1 } }, "name")).toThrow(
      expect.objectContaining({ details }),
    );
  });

  it("is refused by name with the first hundred issues, of which an unknown member comes first", () => {
    const variants = times(200, (index) => [`v${index}`, index === 98 ? {} : 1]);
    const withTwo = [...variants.slice(0, 98), ["a b", { wieght: 1 }], ...variants.slice(99)];

    expect(() => parsePatchedVariants(Object.fromEntries(withTwo), "name")).toThrow(
      "invalid: /a b/wieght is not a known member (and 99 more issues)",
    );
  });

  it.each(["index", "name"] as const)(
    "is refused by %s if it has too many values to be validated",
    (form) => {
      const values = times(20_001, () => 1);
      const patched = form === "name" ? { ...values } : values;

      const message = "has more than 20,000 list elements and members";
      expect(() => parsePatchedVariants(patched, form)).toThrow(
        expect.objectContaining({
          message: `The patched variants are invalid: it ${message}`,
          details: sameIssueAt(message, ""),
        }),
      );
    },
  );

  it.each([
    ["whole, if it has 500 characters", "a".repeat(499), `: /${"a".repeat(499)} must have`],
    ["left out, if it has more", "a".repeat(500), ": it must have"],
  ])("is refused by name with the pointer to the variant, %s", (_, name, words) => {
    expect(() => parsePatchedVariants({ [name]: 1 }, "name")).toThrow(words);
  });

  itProp([tree])("of any JSON is normalised or refused with a ValidationError", (patched) => {
    try {
      fromList(patched);
    } catch (error) {
      expect(error).toBeInstanceOf(ValidationError);
    }
  });
});

describe("the weights", () => {
  it.each([
    ["of three the first gets one more", variables("c", "a", "b"), [334, 333, 333]],
    ["of seven the first six get one more", variables(..."gfedcba"), [143, 143, 143, 143, 143, 143, 142]],
    ["the extra goes to variable variants only", [fix("a", 99), ...variables("b", "c")], [99, 451, 450]],
    ["less than one may be left for each", [fix("a", 999), ...variables("b", "c")], [999, 1, 0]],
    ["a fix weight may leave nothing", [fix("a", 1000), variable("b", 1000)], [1000, 0]],
    ["no variants have no weights", [], []],
  ])("%s", (_, variants, expected) => {
    expect(weightIssue(variants)).toBeUndefined();
    const normalised = normaliseWeights(variants);
    expect(weights(normalised)).toEqual(expected);
    expect(isSharedEvenly(normalised)).toBe(true);
  });

  itProp([normalisable])(
    "of valid variants sum to 1000: fix ones are kept, the rest is shared evenly, larger first; nothing else changes",
    (variants) => {
      const before = structuredClone(variants);

      const normalised = normaliseWeights(variants);

      const shares = weights(normalised.filter((one) => !isFix(one)));
      expect(weightIssue(variants)).toBeUndefined();
      expect(sum(normalised)).toBe(1000);
      expect(normalised.map((one, index) => ({ ...one, weight: variants[index]?.weight }))).toEqual(before);
      expect(variants).toEqual(before);
      expect(normalised.filter(isFix)).toEqual(variants.filter(isFix));
      expect(shares).toEqual(shares.toSorted((left, right) => right - left));
      expect((shares[0] ?? 0) - (shares.at(-1) ?? 0)).toBeLessThanOrEqual(1);
      expect(normaliseWeights(normalised)).toEqual(normalised);
    },
  );
});

describe("the variants of an environment", () => {
  const empty = variant("a", { payload: { type: "string", value: "" } });
  const ofBytes = (bytes: number) => [
    { ...empty, payload: { type: "string", value: "x".repeat(bytes - storedBytes([empty])) } },
  ];
  /** With the variant, its five members, the override and its two. */
  const ofValues = (count: number) => [
    variant("a", { overrides: [{ contextName: "a", values: times(count - 9, () => "a") }] }),
  ];

  it("may take 190 KiB and have 20,000 values", () => {
    for (const fits of [ofBytes(190 * 1024), ofValues(20_000)])
      expect(() => requireRoom(alone(fits))).not.toThrow();
  });

  it.each([
    ["more than 190 KiB", ofBytes(190 * 1024 + 1)],
    ["more than 20,000 list elements and members", ofValues(20_001)],
  ])("may not have %s", (excess, variants) => {
    expect(() => requireRoom(alone(variants))).toThrow(excess);
  });
});
