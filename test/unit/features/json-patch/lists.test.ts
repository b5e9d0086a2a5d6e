import { describe, expect, it } from "vitest";
import { add, copy, move, patched, refusal, remove, replace } from "../../../support/patching.ts";

const list = ["a", "b", "c"];

describe("in a list", () => {
  it("add inserts before the element at the index, and the rest moves up", () => {
    expect(patched(list, add("/1", "x"))).toEqual(["a", "x", "b", "c"]);
  });

  it("add at the index after the last one appends", () => {
    expect(patched(list, add("/3", "x"))).toEqual(["a", "b", "c", "x"]);
  });

  it('add at "-" appends', () => {
    expect(patched(list, add("/-", "x"))).toEqual(["a", "b", "c", "x"]);
  });

  it('copy and move to "-" append', () => {
    expect(patched(list, copy("/0", "/-"))).toEqual(["a", "b", "c", "a"]);
    expect(patched(list, move("/0", "/-"))).toEqual(["b", "c", "a"]);
  });

  it("remove takes the element out, and the rest moves down", () => {
    expect(patched(list, remove("/0"))).toEqual(["b", "c"]);
  });

  it("replace keeps the position", () => {
    expect(patched(list, replace("/1", "x"))).toEqual(["a", "x", "c"]);
  });

  it("move removes first, so the index it leads to is one of what is left", () => {
    expect(patched(list, move("/0", "/2"))).toEqual(["b", "c", "a"]);
    expect(refusal(list, move("/0", "/3"))).toMatch(/index 3 is out of range: the list has 2 elements$/);
  });

  it("null is an element like any other", () => {
    expect(patched([null], replace("/0", 1))).toEqual([1]);
    expect(patched([null], copy("/0", "/1"))).toEqual([null, null]);
    expect(patched([null], remove("/0"))).toEqual([]);
  });

  it("each operation sees what the one before it left", () => {
    expect(patched(list, remove("/0"), remove("/0"), add("/0", "x"), remove("/1"))).toEqual(["x"]);
  });

  it("an index out of range is refused", () => {
    expect(refusal(list, add("/4", "x"))).toMatch(/index 4 is out of range: the list has 3 elements$/);
    expect(refusal(list, remove("/3"))).toMatch(/index 3 is out of range: the list has 3 elements$/);
    expect(refusal(list, replace("/3", "x"))).toMatch(/index 3 is out of range: the list has 3 elements$/);
    expect(refusal(list, copy("/3", "/0"))).toMatch(/index 3 is out of range: the list has 3 elements$/);
    expect(refusal(list, move("/3", "/0"))).toMatch(/index 3 is out of range: the list has 3 elements$/);
    expect(refusal([], remove("/0"))).toMatch(/index 0 is out of range: the list has 0 elements$/);
  });

  it('"-" is refused wherever nothing is added', () => {
    const message = /"-" is the end of the list, where there is no element$/;

    expect(refusal(list, remove("/-"))).toMatch(message);
    expect(refusal(list, replace("/-", "x"))).toMatch(message);
    expect(refusal(list, copy("/-", "/0"))).toMatch(message);
    expect(refusal(list, move("/-", "/0"))).toMatch(message);
    expect(refusal([list], add("/-/0", "x"))).toMatch(message);
  });

  it.each([
    "00",
    "01",
    "-1",
    "+1",
    "1.0",
    "1e0",
    "0x1",
    " 1",
    "1 ",
    "१",
    "",
    "length",
    "a",
    "1\n",
    "9".repeat(400),
  ])("%j is no index", (token) => {
    const message = /is not an index of a list$/;

    expect(refusal(list, add(`/${token}`, "x"))).toMatch(message);
    expect(refusal(list, remove(`/${token}`))).toMatch(message);
    expect(refusal(list, replace(`/${token}`, "x"))).toMatch(message);
    expect(refusal(list, copy(`/${token}`, "/-"))).toMatch(message);
    expect(refusal(list, move(`/${token}`, "/-"))).toMatch(message);
    expect(refusal([list], add(`/${token}/0`, "x"))).toMatch(message);
  });

  it("its length can be neither read nor set", () => {
    expect(refusal(list, copy("/length", "/-"))).toMatch(/"length" is not an index of a list$/);
    expect(refusal(list, replace("/length", 0))).toMatch(/"length" is not an index of a list$/);
  });

  it.each(["push", "map", "at", "toString", "hasOwnProperty"])(
    "the inherited property %s is not there",
    (name) => {
      expect(refusal(list, copy(`/${name}`, "/-"))).toMatch(/is not an index of a list$/);
      expect(refusal(list, copy(`/${name}/name`, "/-"))).toMatch(/is not an index of a list$/);
    },
  );
});
