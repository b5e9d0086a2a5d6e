import { describe, expect, it } from "vitest";
import { check } from "../../../lib/contract/check.ts";
import { variantListSchema } from "../../../lib/contract/variants.ts";

const checked = (members: object) => check(variantListSchema, [{ name: "blue", weight: 500, ...members }]);
const faultsWith = (members: object) => checked(members).faults;

const titled = (value: string): [string, string] => [value.slice(0, 20), value];

describe("the weight of a variant", () => {
  it.each([0, 1, 500, 1000])("may be %i", (weight) => {
    expect(faultsWith({ weight })).toBeUndefined();
  });

  it.each([-1, 1001, 0.5, 1e21, Number.MIN_VALUE])("may not be %d", (weight) => {
    expect(faultsWith({ weight })).toEqual([
      { path: "/0/weight", message: "must be an integer from 0 to 1000" },
    ]);
  });

  it.each(["100", "", true, null, [100], {}])("is not made of %j", (weight) => {
    expect(faultsWith({ weight })).toEqual([{ path: "/0/weight", message: "must be a number" }]);
  });

  it("is zero where it is a negative zero, so that no two differ by a sign alone", () => {
    expect(checked({ weight: -0 }).value?.[0]?.weight).toBe(0);
  });
});

describe("the weight type of a variant", () => {
  it.each(["", "Fix", "FIX", "fixed", "percent", 1, true])("may not be %j", (weightType) => {
    expect(faultsWith({ weightType })).toEqual([
      { path: "/0/weightType", message: "must be one of variable, fix" },
    ]);
  });
});

describe("the payload of a variant", () => {
  it.each(["csv", "string", "number", "yaml", "JSON"])("of type %s may have any value", (type) => {
    expect(faultsWith({ payload: { type, value: "}{" } })).toBeUndefined();
  });

  it.each(["{}", "[]", '{"a":[1]}', " [1] ", "[".repeat(50_000) + "]".repeat(50_000)].map(titled))(
    "of type json may be %s",
    (_, value) => {
      expect(faultsWith({ payload: { type: "json", value } })).toBeUndefined();
    },
  );

  it.each(["null", "1", '"text"', "true", "{", "{a:1}", "[1,]", "x", "[".repeat(50_000)].map(titled))(
    "of type json may not be %s",
    (_, value) => {
      expect(faultsWith({ payload: { type: "json", value } })).toEqual([
        { path: "/0/payload/value", message: "must be a JSON object or list, as the payload's type is json" },
      ]);
    },
  );

  it("has a type and a value that are not empty", () => {
    const message = "must have at least 1 character";

    expect(faultsWith({ payload: { type: "", value: "" } })).toEqual([
      { path: "/0/payload/type", message },
      { path: "/0/payload/value", message },
    ]);
  });

  it("has a value that is text, whatever its type says", () => {
    expect(faultsWith({ payload: { type: "number", value: 12 } })).toEqual([
      { path: "/0/payload/value", message: "must be a string" },
    ]);
    expect(faultsWith({ payload: { type: "json", value: {} } })).toEqual([
      { path: "/0/payload/value", message: "must be a string" },
    ]);
  });
});

describe("the overrides of a variant", () => {
  it("may be empty, and so may their values", () => {
    expect(faultsWith({ overrides: [] })).toBeUndefined();
    expect(faultsWith({ overrides: [{ contextName: "userId", values: [] }] })).toBeUndefined();
  });

  it("have names and values that are text, and not empty", () => {
    const overrides = [
      { contextName: "", values: ["a", "", 1, null] },
      { contextName: 1, values: {} },
    ];

    expect(faultsWith({ overrides })).toEqual([
      { path: "/0/overrides/0/contextName", message: "must have at least 1 character" },
      { path: "/0/overrides/0/values/1", message: "must have at least 1 character" },
      { path: "/0/overrides/0/values/2", message: "must be a string" },
      { path: "/0/overrides/0/values/3", message: "must be a string" },
      { path: "/0/overrides/1/contextName", message: "must be a string" },
      { path: "/0/overrides/1/values", message: "must be a list" },
    ]);
  });
});
