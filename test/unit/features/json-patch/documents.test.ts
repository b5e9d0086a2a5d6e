import { describe, expect, it } from "vitest";
import { add, copy, move, patched, refusal, remove, replace } from "../../../support/patching.ts";

describe("for the whole document", () => {
  it.each([[[]], [{}], [null], ["text"], [0], [{ a: [1] }]])(
    "add and replace put %j in its place",
    (value) => {
      expect(patched(["old"], add("", value))).toEqual(value);
      expect(patched(["old"], replace("", value))).toEqual(value);
    },
  );

  it("remove leaves null, which nothing can be added to", () => {
    expect(patched(["old"], remove(""))).toBeNull();
    expect(refusal(["old"], remove(""), add("/-", 1))).toBe(
      "operation 1 (add /-): cannot add a member to null",
    );
  });

  it("remove makes room for another document", () => {
    expect(patched(["old"], remove(""), add("", ["new"]), add("/-", 1))).toEqual(["new", 1]);
  });

  it("copy and move put a part of it in its place", () => {
    expect(patched({ a: { b: [1] } }, copy("/a/b", ""))).toEqual([1]);
    expect(patched({ a: { b: [1] } }, move("/a/b", ""))).toEqual([1]);
  });

  it("copy puts it into itself as it was before", () => {
    expect(patched(["a"], copy("", "/-"), copy("", "/0"))).toEqual([["a", ["a"]], "a", ["a"]]);
  });

  it("an empty patch leaves it as it was", () => {
    expect(patched({ a: [1, { b: null }] })).toEqual({ a: [1, { b: null }] });
  });
});

describe("a move", () => {
  it("from a place to itself changes nothing", () => {
    expect(patched(["a", "b"], move("/1", "/1"))).toEqual(["a", "b"]);
    expect(patched({ a: { b: 1 } }, move("/a/b", "/a/b"))).toEqual({ a: { b: 1 } });
    expect(patched([1], move("", ""))).toEqual([1]);
  });

  it("from a place that is absent to itself is refused", () => {
    expect(refusal(["a"], move("/1", "/1"))).toMatch(/index 1 is out of range: the list has 1 element$/);
    expect(refusal(["a"], move("/-", "/-"))).toMatch(
      /"-" is the end of the list, where there is no element$/,
    );
  });

  it("of a value into itself is refused", () => {
    const message = /a value cannot be moved into itself$/;

    expect(refusal({ a: { b: {} } }, move("/a", "/a/b"))).toMatch(message);
    expect(refusal({ a: { b: {} } }, move("/a", "/a/b/c"))).toMatch(message);
    expect(refusal([[], 1], move("/0", "/0/-"))).toMatch(message);
    expect(refusal([1], move("", "/-"))).toMatch(message);
    expect(refusal({ a: 1 }, move("", "/a"))).toMatch(message);
  });

  it("to a place whose name merely begins alike is none into itself", () => {
    expect(patched({ a: 1 }, move("/a", "/ab"))).toEqual({ ab: 1 });
    expect(patched({ a: 1, ab: {} }, move("/a", "/ab/c"))).toEqual({ ab: { c: 1 } });
  });

  it("out of what holds it takes its place", () => {
    expect(patched({ a: { b: { c: 1 } } }, move("/a/b", "/a"))).toEqual({ a: { c: 1 } });
  });
});

describe("values", () => {
  it("are copied: a later operation changes one and not the other", () => {
    expect(patched([{ a: 1 }], copy("/0", "/-"), replace("/0/a", 2))).toEqual([{ a: 2 }, { a: 1 }]);
    expect(patched([{ a: 1 }], copy("/0", "/-"), replace("/1/a", 2))).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("of the patch are copied: the same patch gives every document its own", () => {
    const value = { tags: ["x"] };

    const results = [patched([], add("/-", value), add("/0/tags/-", "y")), patched([], add("/-", value))];

    expect(results).toEqual([[{ tags: ["x", "y"] }], [{ tags: ["x"] }]]);
    expect(value).toEqual({ tags: ["x"] });
  });

  it("of the document are copied: it stays as it was, also where a later operation fails", () => {
    const document = [{ a: 1 }];

    patched(document, replace("/0/a", 2));
    refusal(document, replace("/0/a", 2), remove("/9"));

    expect(document).toEqual([{ a: 1 }]);
  });
});
