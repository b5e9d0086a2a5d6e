/** Every rule of a variant's fields. A few of them through HTTP: test/http/variants/patch.test.ts */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../../lib/contract/limits.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { variantListSchema } from "../../../lib/contract/variants.ts";
import { sameIssueAt } from "../../support/answers.ts";
import { times } from "../../support/patching.ts";
import { itProp } from "../../support/property.ts";

const variant = { name: "blue", weight: 500 };
const payload = { type: "string", value: "x" };
const override = { contextName: "userId", values: ["1"] };
const deep = 50_000;

const issuesOf = (list: unknown) => validate(variantListSchema, list).issues;
/** The members of as many variants, which differ in one of these ways. */
const each = (member: string, ...values: unknown[]) => values.map((value) => ({ [member]: value }));
const payloads = (...changes: object[]) => changes.map((change) => ({ payload: { ...payload, ...change } }));
const json = (value: string) => payloads({ type: "json", value });
const overrides = (...changes: object[]) =>
  changes.map((change) => ({ overrides: [{ ...override, ...change }] }));
const validated = (members: object) => validate(variantListSchema, [{ ...variant, ...members }]);

const shorten = (value: unknown) => JSON.stringify(value)?.slice(0, 80);

it.each(
  [
    ...each("name", "a", "A-1", "_", "v1.0", "...", "0", "!~*'()", "a".repeat(100)),
    ...each("weight", 0, 1, 500, 1000, 10e1),
    ...each("weightType", "variable", "fix"),
    { stickiness: "userId" },
    ...["csv", "string", "number", "yaml", "JSON"].flatMap((type) => payloads({ type, value: "}{" })),
    ...["{}", "[]", ' [1, {"a": null}] ', "[".repeat(deep) + "]".repeat(deep)].flatMap(json),
    { overrides: [] },
    { overrides: [override, { ...override, values: [] }, { contextName: " ", values: ["1", "1"] }] },
  ].map((members) => [shorten(members), members] as const),
)("a variant is accepted with %s", (_, members) => {
  const defaults = { weightType: "variable", stickiness: "default" };

  expect(validated(members)).toEqual({ value: [{ ...variant, ...defaults, ...members }] });
});

it("the weight -0 becomes 0", () => {
  expect(validated({ weight: -0 }).value?.[0]?.weight).toBe(0);
});

const urlFriendly = `must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."`;
const notEmpty = "must have at least 1 character";
const isJson = "must be a JSON object or list, because the payload's type is json";

const unfriendly = ["a b", "a/b", "a?", "a#", "a&b", "a\n", "a:b", "a@b", "a,b", "a+b"];
const notTypes = ["", "Fix", "FIX", "fixed", "percent", 1, true, null];
const notText = payloads({ type: "number", value: 12 }, { type: "json", value: {} });
const notJson = ["null", "1", '"text"', "true", "{", "{a:1}", "[1,]", "x", "[".repeat(deep)];

/** Place, message, and what a variant has of which each is refused. */
const refused: readonly [string, string, readonly object[]][] = [
  ["/name", urlFriendly, each("name", ...unfriendly, "é", "😀", "a%20", ".", "..")],
  ["/name", "must have 1 to 100 characters", each("name", "a".repeat(101))],
  ["/name", "must be a string", each("name", 12, null, ["a"])],
  ["/name", "is required", each("name", undefined)],
  ["/weight", "must be an integer from 0 to 1000", each("weight", -1, 1001, 0.5, 1e21, Number.MIN_VALUE)],
  ["/weight", "must be a number", each("weight", "100", "", true, null, [100], {})],
  ["/weight", "is required", each("weight", undefined)],
  ["/weightType", "must be one of variable, fix", each("weightType", ...notTypes)],
  ["/stickiness", notEmpty, each("stickiness", "")],
  ["/stickiness", "must be a string", each("stickiness", null, 12)],
  ["/payload", "must be an object", each("payload", null, "{}", ["json", "{}"])],
  ["/payload/type", "is required", each("payload", { value: "x" })],
  ["/payload/value", "is required", each("payload", { type: "string" })],
  ["/payload/type", notEmpty, payloads({ type: "" })],
  ["/payload/value", notEmpty, payloads({ value: "" })],
  ["/payload/value", "must be a string", notText],
  ["/payload/value", isJson, notJson.flatMap(json)],
  ["/payload/size", "is not a known member", payloads({ size: 1 })],
  ["/overrides", "must be a list", each("overrides", null, override)],
  ["/overrides/0", "must be an object", each("overrides", [null], [1])],
  ["/overrides/0/contextName", "is required", each("overrides", [{ values: [] }])],
  ["/overrides/1/contextName", notEmpty, each("overrides", [override, { ...override, contextName: "" }])],
  ["/overrides/0/contextName", "must be a string", overrides({ contextName: 1 })],
  ["/overrides/0/values", "is required", each("overrides", [{ contextName: "id" }])],
  ["/overrides/0/values", "must be a list", overrides({ values: "1" }, { values: {} })],
  ["/overrides/0/values/1", notEmpty, overrides({ values: ["1", ""] })],
  ["/overrides/0/values/0", "must be a string", overrides({ values: [1] }, { values: [null] })],
  ["/overrides/0/name", "is not a known member", overrides({ name: "x" })],
  ["/color", "is not a known member", each("color", "#00f")],
];

describe.each(refused)("a variant is refused because %s %s:", (place, message, rows) => {
  it.each(rows.map((members) => [shorten(members), members] as const))("%s", (_, members) => {
    expect(validated(members)).toEqual({ issues: sameIssueAt(message, `/0${place}`) });
  });
});

describe("a list of variants", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 3 }),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
  );

  itProp([anyText], { numRuns: 1000 })(
    "accepts as a name any text that encodeURIComponent leaves alone, except the dots, and no other",
    (name) => {
      const isFriendly = encodeURIComponent(name) === name && name !== "." && name !== "..";

      expect(validated({ name }).issues === undefined).toBe(isFriendly);
    },
  );

  it("refuses a name that another variant has, and says which", () => {
    const list = ["a", "b", "a", "A", "b", "a"].map((name) => ({ ...variant, name }));

    expect(issuesOf(list)).toEqual([
      ...sameIssueAt("is already the name of variant 0: names are unique", "/2/name"),
      ...sameIssueAt("is already the name of variant 1: names are unique", "/4/name"),
      ...sameIssueAt("is already the name of variant 0: names are unique", "/5/name"),
    ]);
  });

  it("stops looking for repeated names at the limit of issues", () => {
    const { error } = variantListSchema.safeParse(times(2 * limits.listedIssues, () => variant));

    expect(error?.issues).toHaveLength(limits.listedIssues);
  });
});
