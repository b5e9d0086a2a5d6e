/** Every rule of a variant's fields. A few of them go through HTTP as well: test/http/variants/variant-rules.test.ts */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../../lib/contract/limits.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { variantListSchema } from "../../../lib/contract/variants.ts";
import { times } from "../../support/patching.ts";

const variant = { name: "blue", weight: 500 };
const payload = { type: "string", value: "x" };
const override = { contextName: "userId", values: ["1"] };
const deep = 50_000;

const issuesOf = (list: unknown) => validate(variantListSchema, list).issues;
const validated = (members: object) => validate(variantListSchema, [{ ...variant, ...members }]);

const shorten = (value: unknown) => JSON.stringify(value)?.slice(0, 80);

describe("a variant is accepted with", () => {
  it.each(
    [
      ...["a", "A-1", "_", "v1.0", "...", "0", "!~*'()", "a".repeat(100)].map((name) => ({ name })),
      ...[0, 1, 500, 1000, 10e1].map((weight) => ({ weight })),
      ...["variable", "fix"].map((weightType) => ({ weightType })),
      { stickiness: "userId" },
      ...["csv", "string", "number", "yaml", "JSON"].map((type) => ({ payload: { type, value: "}{" } })),
      ...["{}", "[]", ' [1, {"a": null}] ', "[".repeat(deep) + "]".repeat(deep)].map((value) => ({
        payload: { type: "json", value },
      })),
      { overrides: [] },
      {
        overrides: [
          override,
          { contextName: "userId", values: [] },
          { contextName: " ", values: ["1", "1"] },
        ],
      },
    ].map((members) => [shorten(members), members] as const),
  )("%s", (_, members) => {
    const defaults = { weightType: "variable", stickiness: "default" };

    expect(validated(members)).toEqual({ value: [{ ...variant, ...defaults, ...members }] });
  });
});

const urlFriendly = "must be URL-friendly: letters, digits and -_.!~*'() only";
const notEmpty = "must have at least 1 character";
const isJson = "must be a JSON object or list, because the payload's type is json";

/** Place, message, and what a variant has of which each is refused. */
const refused: readonly [string, string, readonly object[]][] = [
  [
    "/name",
    urlFriendly,
    ["a b", "a/b", "é", "😀", "a%20", "a?", "a#", "a&b", "a\n", ".", "..", "a:b", "a@b", "a,b", "a+b"].map(
      (name) => ({ name }),
    ),
  ],
  ["/name", "must have 1 to 100 characters", [{ name: "a".repeat(101) }]],
  ["/name", "must be a string", [{ name: 12 }, { name: null }, { name: ["a"] }]],
  ["/name", "is required", [{ name: undefined }]],
  [
    "/weight",
    "must be an integer from 0 to 1000",
    [-1, 1001, 0.5, 1e21, Number.MIN_VALUE].map((weight) => ({ weight })),
  ],
  ["/weight", "must be a number", ["100", "", true, null, [100], {}].map((weight) => ({ weight }))],
  ["/weight", "is required", [{ weight: undefined }]],
  [
    "/weightType",
    "must be one of variable, fix",
    ["", "Fix", "FIX", "fixed", "percent", 1, true, null].map((weightType) => ({ weightType })),
  ],
  ["/stickiness", notEmpty, [{ stickiness: "" }]],
  ["/stickiness", "must be a string", [{ stickiness: null }, { stickiness: 12 }]],
  ["/payload", "must be an object", [{ payload: null }, { payload: "{}" }, { payload: ["json", "{}"] }]],
  ["/payload/type", "is required", [{ payload: { value: "x" } }]],
  ["/payload/value", "is required", [{ payload: { type: "string" } }]],
  ["/payload/type", notEmpty, [{ payload: { ...payload, type: "" } }]],
  ["/payload/value", notEmpty, [{ payload: { ...payload, value: "" } }]],
  [
    "/payload/value",
    "must be a string",
    [{ payload: { type: "number", value: 12 } }, { payload: { type: "json", value: {} } }],
  ],
  [
    "/payload/value",
    isJson,
    ["null", "1", '"text"', "true", "{", "{a:1}", "[1,]", "x", "[".repeat(deep)].map((value) => ({
      payload: { type: "json", value },
    })),
  ],
  ["/payload/size", "is not a known member", [{ payload: { ...payload, size: 1 } }]],
  ["/overrides", "must be a list", [{ overrides: null }, { overrides: override }]],
  ["/overrides/0", "must be an object", [{ overrides: [null] }, { overrides: [1] }]],
  ["/overrides/0/contextName", "is required", [{ overrides: [{ values: [] }] }]],
  ["/overrides/1/contextName", notEmpty, [{ overrides: [override, { ...override, contextName: "" }] }]],
  ["/overrides/0/contextName", "must be a string", [{ overrides: [{ ...override, contextName: 1 }] }]],
  ["/overrides/0/values", "is required", [{ overrides: [{ contextName: "id" }] }]],
  [
    "/overrides/0/values",
    "must be a list",
    ["1", {}].map((values) => ({ overrides: [{ ...override, values }] })),
  ],
  ["/overrides/0/values/1", notEmpty, [{ overrides: [{ ...override, values: ["1", ""] }] }]],
  [
    "/overrides/0/values/0",
    "must be a string",
    [1, null].map((value) => ({ overrides: [{ ...override, values: [value] }] })),
  ],
  ["/overrides/0/name", "is not a known member", [{ overrides: [{ ...override, name: "x" }] }]],
  ["/colour", "is not a known member", [{ colour: "#00f" }]],
  ["/color", "is not a known member", [{ color: "#00f" }]],
];

describe.each(refused)("a variant is refused because %s %s:", (place, message, rows) => {
  it.each(rows.map((members) => [shorten(members), members] as const))("%s", (_, members) => {
    expect(validated(members)).toEqual({ issues: [{ path: `/0${place}`, message }] });
  });
});

describe("a list of variants", () => {
  it("reports every issue with its place", () => {
    const issues = issuesOf([
      {
        weight: "100",
        weightType: "fixed",
        stickiness: "",
        payload: {},
        overrides: [{ values: "x" }, 1],
        f: 1,
      },
      null,
      { name: "" },
    ]);

    expect(issues).toEqual([
      { path: "/0/name", message: "is required" },
      { path: "/0/weight", message: "must be a number" },
      { path: "/0/weightType", message: "must be one of variable, fix" },
      { path: "/0/stickiness", message: notEmpty },
      { path: "/0/payload/type", message: "is required" },
      { path: "/0/payload/value", message: "is required" },
      { path: "/0/overrides/0/contextName", message: "is required" },
      { path: "/0/overrides/0/values", message: "must be a list" },
      { path: "/0/overrides/1", message: "must be an object" },
      { path: "/0/f", message: "is not a known member" },
      { path: "/1", message: "must be an object" },
      { path: "/2/name", message: "must have 1 to 100 characters" },
      { path: "/2/name", message: urlFriendly },
      { path: "/2/weight", message: "is required" },
    ]);
  });

  it("stores a negative zero as zero, so that no two weights differ by a sign alone", () => {
    expect(validated({ weight: -0 }).value?.[0]?.weight).toBe(0);
  });

  it("accepts as a name any text that encodeURIComponent leaves alone, except the dots, and no other", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 3 }),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
    );
    fc.assert(
      fc.property(text, (name) => {
        const isFriendly = encodeURIComponent(name) === name && name !== "." && name !== "..";

        expect(validated({ name }).issues === undefined).toBe(isFriendly);
      }),
      { numRuns: 1000 },
    );
  });

  it("refuses a name that another variant has, and says which", () => {
    const named = (name: string) => ({ ...variant, name });

    expect(issuesOf([named("a"), named("b"), named("a"), named("A"), named("b"), named("a")])).toEqual([
      { path: "/2/name", message: "is already the name of variant 0: names are unique" },
      { path: "/4/name", message: "is already the name of variant 1: names are unique" },
      { path: "/5/name", message: "is already the name of variant 0: names are unique" },
    ]);
  });

  it("stops looking for repeated names at the limit of issues", () => {
    const { error } = variantListSchema.safeParse(times(2 * limits.issues, () => variant));

    expect(error?.issues).toHaveLength(limits.issues);
  });
});
