import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check } from "../../../lib/contract/check.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { variantListSchema } from "../../../lib/contract/variants.ts";
import { times } from "../../support/patching.ts";

const variant = { name: "blue", weight: 500 };
const settled = { ...variant, weightType: "variable", stickiness: "default" };
const faultsOf = (list: unknown) => check(variantListSchema, list).faults;
const faultsWith = (members: object) => faultsOf([{ ...variant, ...members }]);

const urlFriendly = "must be URL-friendly: letters, digits and -_.!~*'() only";

describe("a variant", () => {
  it("has a weight type and a stickiness where it names none", () => {
    expect(check(variantListSchema, [variant])).toEqual({ value: [settled] });
  });

  it("keeps all that it has", () => {
    const whole = {
      name: "blue",
      weight: 100,
      weightType: "fix",
      stickiness: "userId",
      payload: { type: "json", value: '{"a":1}' },
      overrides: [{ contextName: "userId", values: ["1", "2"] }],
    };

    expect(check(variantListSchema, [whole])).toEqual({ value: [whole] });
  });

  it("is told every fault that it has, each with its place", () => {
    const faults = faultsOf([
      {
        weight: "100",
        weightType: "fixed",
        stickiness: "",
        payload: {},
        overrides: [{ values: "x" }, 1],
        feature: "f",
      },
      null,
      { name: 1 },
    ]);

    expect(faults).toEqual([
      { path: "/0/name", message: "is required" },
      { path: "/0/weight", message: "must be a number" },
      { path: "/0/weightType", message: "must be one of variable, fix" },
      { path: "/0/stickiness", message: "must have at least 1 character" },
      { path: "/0/payload/type", message: "is required" },
      { path: "/0/payload/value", message: "is required" },
      { path: "/0/overrides/0/contextName", message: "is required" },
      { path: "/0/overrides/0/values", message: "must be a list" },
      { path: "/0/overrides/1", message: "must be an object" },
      { path: "/0/feature", message: "is not a known member" },
      { path: "/1", message: "must be an object" },
      { path: "/2/name", message: "must be a string" },
      { path: "/2/weight", message: "is required" },
    ]);
  });

  it("is told its unknown members wherever they are", () => {
    const overrides = [{ contextName: "userId", values: ["1"], x: 1 }];

    expect(faultsWith({ payload: { type: "string", value: "x", y: 1 }, overrides, z: 1 })).toEqual([
      { path: "/0/payload/y", message: "is not a known member" },
      { path: "/0/overrides/0/x", message: "is not a known member" },
      { path: "/0/z", message: "is not a known member" },
    ]);
  });

  it.each(["weightType", "stickiness", "payload", "overrides"])(
    "does not take null for an absent %s",
    (member) => {
      expect(faultsWith({ [member]: null })).toHaveLength(1);
    },
  );
});

describe("the name of a variant", () => {
  it.each(["a", "A-1", "_", "v1.0", "...", "!~*'()", "a".repeat(100)])("may be %j", (name) => {
    expect(faultsWith({ name })).toBeUndefined();
  });

  it.each(["a b", "a/b", "é", "😀", "a%20", "a?", "a#", "a&b", "a\n", ".", "..", "a:b", "a@b", "a,b", "a+b"])(
    "may not be %j",
    (name) => {
      expect(faultsWith({ name })).toEqual([{ path: "/0/name", message: urlFriendly }]);
    },
  );

  it("has 1 to 100 characters", () => {
    const message = "must have 1 to 100 characters";

    expect(faultsWith({ name: "" })).toContainEqual({ path: "/0/name", message });
    expect(faultsWith({ name: "a".repeat(101) })).toEqual([{ path: "/0/name", message }]);
  });

  it("is any text that encodeURIComponent leaves alone, but for the dots, and no other", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 3 }),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
    );
    fc.assert(
      fc.property(text, (name) => {
        const isFriendly = encodeURIComponent(name) === name && name !== "." && name !== "..";

        expect(faultsWith({ name }) === undefined).toBe(isFriendly);
      }),
      { numRuns: 1000 },
    );
  });

  it("is there once: the second is told, and where the first is", () => {
    const named = (name: string) => ({ ...variant, name });

    expect(faultsOf([named("a"), named("b"), named("a"), named("A"), named("b"), named("a")])).toEqual([
      { path: "/2/name", message: "is the name of variant 0 already: names are unique" },
      { path: "/4/name", message: "is the name of variant 1 already: names are unique" },
      { path: "/5/name", message: "is the name of variant 0 already: names are unique" },
    ]);
  });

  it("is not looked for any further after as many faults as are told", () => {
    const { error } = variantListSchema.safeParse(times(2 * limits.faults, () => variant));

    expect(error?.issues).toHaveLength(limits.faults);
  });
});
