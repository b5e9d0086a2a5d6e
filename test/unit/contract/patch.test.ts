/** The operations of a JSON Patch that the contract accepts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPointer, parsePointer, pointerPattern } from "../../../lib/contract/json.ts";
import { jsonPatchSchema } from "../../../lib/contract/patch.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { sameIssueAt } from "../../support/answers.ts";
import { wellFormed } from "../../support/arbitraries.ts";
import { add, copy, move, remove, replace, times } from "../../support/patching.ts";
import { itProp } from "../../support/property.ts";

const issuesOf = (body: unknown) => validate(jsonPatchSchema, body).issues;
const noPointer = 'must be a JSON Pointer: "" or "/" before each token, "~" only as "~0" or "~1"';
const forbidden = "must not contain __proto__, constructor, prototype: these names cannot be addressed";

describe("a JSON Patch", () => {
  it("is a list of the five operations, with any value, or empty", () => {
    const values = [null, false, 0, "", []].flatMap((value) => [add("/0", value), replace("/0", value)]);
    const all = [add("/-", { name: "a" }), remove("/0"), copy("/0", "/-"), move("/1", "/0"), ...values];

    expect(validate(jsonPatchSchema, all)).toEqual({ value: all });
    expect(validate(jsonPatchSchema, [])).toEqual({ value: [] });
  });

  it.each([null, { op: "remove", path: "/0" }, "[]", 1])("is not %j", (body) => {
    expect(issuesOf(body)).toEqual(sameIssueAt("must be a list", ""));
  });

  it("may have a thousand operations, and is not validated further if it has more", () => {
    expect(issuesOf(times(1000, () => remove("/0")))).toBeUndefined();
    expect(issuesOf(times(1001, () => 1))).toEqual(sameIssueAt("must have at most 1000 operations", ""));
  });

  it("has every issue reported with its place", () => {
    const issues = issuesOf([
      1,
      null,
      [],
      { op: "add" },
      { op: "remove", path: 0 },
      { op: "copy", path: "a", from: "b" },
      { op: "move", path: "/0" },
      { op: "replace", path: "/~2" },
    ]);

    expect(issues).toEqual([
      ...sameIssueAt("must be an object", "/0", "/1", "/2"),
      ...sameIssueAt("is required", "/3/path", "/3/value"),
      ...sameIssueAt("must be a string", "/4/path"),
      ...sameIssueAt(noPointer, "/5/from", "/5/path"),
      ...sameIssueAt("is required", "/6/from"),
      ...sameIssueAt(noPointer, "/7/path"),
      ...sameIssueAt("is required", "/7/value"),
    ]);
  });

  it.each(["test", "Add", "ADD", "add ", "", "toString", "__proto__", "spam", null, 1, ["add"], undefined])(
    "has no operation %j",
    (op) => {
      const issues = sameIssueAt("must be one of add, remove, replace, copy, move", "/0/op");

      expect(issuesOf([{ op, path: "/0", from: "/0", value: 1 }])).toEqual(issues);
    },
  );

  it("ignores the members that an operation does not define", () => {
    const patch = [
      { ...remove("/0"), value: 1, from: 12, comment: "x" },
      { ...add("/0", 1), from: "no pointer" },
      { ...copy("/0", "/1"), value: {} },
    ];

    expect(validate(jsonPatchSchema, patch)).toEqual({
      value: [remove("/0"), add("/0", 1), copy("/0", "/1")],
    });
  });
});

describe("a path", () => {
  it.each(["", "/01", "/~01", "/é😀", "/a\nb", "/constructor~1", "/__proto__x", "/Prototype"])(
    "may be %j",
    (path) => {
      expect(issuesOf([remove(path), copy(path, path)])).toBeUndefined();
    },
  );

  const notPointers = ["a", " /a", "#/a", "/~2", "/a~", "~0"];
  const leading = ["/__proto__", "/constructor", "/prototype", "/0/__proto__/x"];

  it.each([
    // A text that is no JSON Pointer is not searched for names.
    ...[...notPointers, "a/__proto__"].map((path) => [path, noPointer] as const),
    ...leading.map((path) => [path, forbidden] as const),
  ])("may not be %j: it %s", (path, message) => {
    const issues = sameIssueAt(message, "/0/path", "/1/path", "/2/from", "/2/path", "/3/from", "/3/path");

    expect(issuesOf([remove(path), add(path, 1), move(path, path), copy(path, path)])).toEqual(issues);
  });

  itProp([fc.array(wellFormed())])("is parsed to the tokens of which it was made", (tokens) => {
    const text = formatPointer(tokens);

    expect([pointerPattern.test(text), parsePointer(text)]).toEqual([true, tokens]);
  });

  itProp([fc.string({ unit: fc.constantFrom(..."/~012a-"), maxLength: 6 })], { numRuns: 1000 })(
    "is any text that begins with a slash and has no stray tilde, and no other",
    (path) => {
      const isPointer = /^(\/([^~/]|~[01])*)*$/.test(path);

      expect(issuesOf([remove(path)]) === undefined).toBe(isPointer);
    },
  );
});
