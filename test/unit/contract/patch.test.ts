import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchesSchema } from "../../../lib/contract/patch.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { add, copy, move, remove, replace, times } from "../../support/patching.ts";

const faultsOf = (body: unknown) => validate(patchesSchema, body).issues;
const unknownOp = "must be one of add, remove, replace, copy, move";
const noPointer = 'must be a JSON Pointer: "" or "/" before each token, "~" only as "~0" or "~1"';
const forbidden = "must not contain __proto__, constructor, prototype: these names cannot be addressed";

describe("a JSON Patch", () => {
  it("is a list of the five operations", () => {
    const patch = [
      add("/-", { name: "a" }),
      remove("/0"),
      replace("", []),
      copy("/0", "/-"),
      move("/1", "/0"),
    ];

    expect(validate(patchesSchema, patch)).toEqual({ value: patch });
  });

  it("may be empty", () => {
    expect(validate(patchesSchema, [])).toEqual({ value: [] });
  });

  it.each([null, { op: "remove", path: "/0" }, "[]", 1])("is not %j", (body) => {
    expect(faultsOf(body)).toEqual([{ path: "", message: "must be a list" }]);
  });

  it("may have a thousand operations, and is not looked into if it has more", () => {
    expect(faultsOf(times(1000, () => remove("/0")))).toBeUndefined();
    expect(faultsOf(times(1001, () => 1))).toEqual([
      { path: "", message: "must have at most 1000 operations" },
    ]);
  });

  it("has every issue reported with its place", () => {
    const issues = faultsOf([
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
      { path: "/0", message: "must be an object" },
      { path: "/1", message: "must be an object" },
      { path: "/2", message: "must be an object" },
      { path: "/3/path", message: "is required" },
      { path: "/3/value", message: "is required" },
      { path: "/4/path", message: "must be a string" },
      { path: "/5/from", message: noPointer },
      { path: "/5/path", message: noPointer },
      { path: "/6/from", message: "is required" },
      { path: "/7/path", message: noPointer },
      { path: "/7/value", message: "is required" },
    ]);
  });

  it.each(["test", "Add", "ADD", "add ", "", "toString", "__proto__", "spam", null, 1, ["add"], undefined])(
    "has no operation %j",
    (op) => {
      expect(faultsOf([{ op, path: "/0", from: "/0", value: 1 }])).toEqual([
        { path: "/0/op", message: unknownOp },
      ]);
    },
  );

  it.each([null, false, 0, "", [], {}])("takes %j for a value", (value) => {
    const patch = [add("/0", value), replace("/0", value)];

    expect(validate(patchesSchema, patch)).toEqual({ value: patch });
  });

  it("ignores the members that an operation does not define", () => {
    const patch = [
      { ...remove("/0"), value: 1, from: 12, comment: "x" },
      { ...add("/0", 1), from: "no pointer" },
      { ...copy("/0", "/1"), value: {} },
    ];

    expect(validate(patchesSchema, patch)).toEqual({ value: [remove("/0"), add("/0", 1), copy("/0", "/1")] });
  });
});

describe("a path", () => {
  it.each(["", "/", "//", "/-", "/0", "/01", "/a~0b", "/a~1b", "/~01", "/ ", "/é😀", "/%2F", "/a\nb"])(
    "may be %j",
    (path) => {
      expect(faultsOf([remove(path), copy(path, path)])).toBeUndefined();
    },
  );

  it.each(["a", "0", "-", " /a", "#/a", "/~", "/~2", "/a~", "/~~", "/a/~b", "~0", "$.a"])(
    "may not be %j",
    (path) => {
      expect(faultsOf([remove(path), move(path, path)])).toEqual([
        { path: "/0/path", message: noPointer },
        { path: "/1/from", message: noPointer },
        { path: "/1/path", message: noPointer },
      ]);
    },
  );

  it.each(["/__proto__", "/constructor", "/prototype", "/0/__proto__/x", "/0/constructor/prototype"])(
    "may not lead through %s",
    (path) => {
      expect(faultsOf([add(path, 1), copy(path, path)])).toEqual([
        { path: "/0/path", message: forbidden },
        { path: "/1/from", message: forbidden },
        { path: "/1/path", message: forbidden },
      ]);
    },
  );

  it("is not looked into for names where it is no JSON Pointer", () => {
    expect(faultsOf([remove("a/__proto__")])).toEqual([{ path: "/0/path", message: noPointer }]);
  });

  it("may have names that merely hold a forbidden one", () => {
    expect(faultsOf([remove("/constructor~1"), remove("/__proto__x"), remove("/Prototype")])).toBeUndefined();
  });

  it("may be 5,000 tokens long", () => {
    expect(faultsOf([remove("/a".repeat(5_000))])).toBeUndefined();
  });

  it("is any text that begins with a slash and has no stray tilde, and no other", () => {
    const text = fc.string({ unit: fc.constantFrom(..."/~012a-"), maxLength: 6 });
    fc.assert(
      fc.property(text, (path) => {
        const isPointer = /^(\/([^~/]|~[01])*)*$/.test(path);

        expect(faultsOf([remove(path)]) === undefined).toBe(isPointer);
      }),
      { numRuns: 1000 },
    );
  });
});
