import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPointer } from "../../../lib/contract/json-pointer.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { validateJson } from "../../../lib/contract/validate.ts";
import { document } from "../../support/arbitraries.ts";
import { milliseconds } from "../../support/cost.ts";
import { times } from "../../support/patching.ts";

const body = (text: string): unknown => JSON.parse(text);
const lists = (levels: number) => body("[".repeat(levels) + "]".repeat(levels));
const objects = (levels: number) => body(`${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`);

describe("parsed JSON", () => {
  it("of any content that can be stored has no issues", () => {
    fc.assert(
      fc.property(document, (value) => {
        expect(validateJson(value)).toEqual([]);
      }),
    );
  });

  it("stays as it was", () => {
    const value = body('{"__proto__":{"a":1},"b":["\\ud800"]}');
    const before = JSON.stringify(value);

    validateJson(value);

    expect(JSON.stringify(value)).toBe(before);
  });
});

describe("nesting", () => {
  it.each([
    ["lists", lists],
    ["objects", objects],
  ])("of %s may be 32 levels deep, and no deeper", (_, nested) => {
    expect(validateJson(nested(32))).toEqual([]);
    expect(validateJson(nested(33))).toMatchObject([{ message: "is nested deeper than 32 levels" }]);
  });

  it("of 32 levels may hold values that nest no further", () => {
    expect(validateJson(body(`${"[".repeat(32)}1,"a",null${"]".repeat(32)}`))).toEqual([]);
  });

  it("is reported at the place where it is too deep", () => {
    expect(validateJson({ addedTags: [lists(31)] })).toEqual([
      { path: `/addedTags${"/0".repeat(31)}`, message: "is nested deeper than 32 levels" },
    ]);
  });

  it("of any depth that fits in a body is refused fast, and without a stack overflow", () => {
    for (const value of [lists(5_000), lists(130_000), objects(40_000)]) {
      expect(validateJson(value)).toHaveLength(1);
      expect(milliseconds(() => validateJson(value), 50)).toBeLessThanOrEqual(50);
    }
  });
});

describe("a forbidden name", () => {
  it.each(["__proto__", "constructor", "prototype"])("is found wherever it is a member: %s", (name) => {
    const value = body(`[{"op":"add","path":"/-","value":{"a":[{"${name}":{}}]}},{"${name}":1}]`);

    expect(validateJson(value)).toEqual([
      { path: `/0/value/a/0/${name}`, message: "is a forbidden name" },
      { path: `/1/${name}`, message: "is a forbidden name" },
    ]);
  });

  it("may be a value, or a part of a name", () => {
    expect(validateJson(body('{"name":"__proto__","a__proto__":"constructor","Prototype":1}'))).toEqual([]);
  });

  it("does not hide what is in it", () => {
    expect(validateJson(body('{"__proto__":["\\ud800"]}')).map(({ path }) => path)).toEqual([
      "/__proto__",
      "/__proto__/0",
    ]);
  });
});

describe("a lone surrogate", () => {
  it.each(["\\ud800", "a\\udc00b", "\\udc00\\ud800", "\\ud83dx\\ude00"])("is found in text: %s", (text) => {
    expect(validateJson(body(`{"a":["${text}"]}`))).toEqual([
      { path: "/a/0", message: "contains a lone surrogate" },
    ]);
  });

  it("is found in a member's name, and reported at the object that has it", () => {
    expect(validateJson(body('{"a":{"\\ud800":1}}'))).toEqual([
      { path: "/a", message: "has a member whose name contains a lone surrogate" },
    ]);
  });

  it("is none where the pair is whole", () => {
    expect(validateJson(body('{"\\ud83d\\ude00":"\\ud83d\\ude00 😀"}'))).toEqual([]);
  });
});

describe("thousands of issues", () => {
  it.each([
    ["texts", body(`[${times(25_000, () => '"\\ud800"').join()}]`)],
    ["members' names", body(`{${times(15_000, (index) => `"\\ud800${index}":1`).join()}}`)],
    ["forbidden names", body(`[${times(10_000, () => '{"__proto__":1}').join()}]`)],
    [
      "forbidden names three at once",
      body(`[${times(5_000, () => '{"__proto__":1,"constructor":1,"prototype":1}').join()}]`),
    ],
    ["nested lists", body(`[${times(2_000, () => "[".repeat(32) + "]".repeat(32)).join()}]`)],
  ])("are reported up to the limit, fast: %s", (_, value) => {
    const issues = validateJson(value);

    expect(issues).toHaveLength(limits.issues);
    expect(milliseconds(() => validateJson(value), 50)).toBeLessThanOrEqual(50);
  });

  it("stay small, however long the names on the way to them are", () => {
    const long = "x".repeat(1_000);

    const issues = validateJson(body(`{"${long}":[${times(1_000, () => '"\\ud800"').join()}]}`));

    expect(issues).toHaveLength(limits.issues);
    expect(JSON.stringify(issues).length).toBeLessThan(limits.issues * (limits.pointerLength + 100));
    expect(issues.every(({ path }) => isPointer(path))).toBe(true);
  });
});
