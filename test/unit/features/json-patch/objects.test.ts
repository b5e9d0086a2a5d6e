import { describe, expect, it } from "vitest";
import { add, copy, move, patched, refusal, remove, replace } from "../../../support/patching.ts";

describe("in an object", () => {
  it("add makes a member, or takes the old value's place", () => {
    expect(patched({}, add("/a", 1))).toEqual({ a: 1 });
    expect(patched({ a: { b: 1 } }, add("/a", null))).toEqual({ a: null });
  });

  it("copy and move take the old value's place too", () => {
    expect(patched({ a: 1, b: 2 }, copy("/a", "/b"))).toEqual({ a: 1, b: 1 });
    expect(patched({ a: 1, b: 2 }, move("/a", "/b"))).toEqual({ b: 1 });
  });

  it("add does not make the objects that lead to the place", () => {
    expect(refusal({}, add("/a/b", 1))).toMatch(/there is no member "a"$/);
  });

  it("removing, replacing, copying and moving what is absent is refused", () => {
    const message = /there is no member "b"$/;

    expect(refusal({ a: 1 }, remove("/b"))).toMatch(message);
    expect(refusal({ a: 1 }, replace("/b", 1))).toMatch(message);
    expect(refusal({ a: 1 }, copy("/b", "/a"))).toMatch(message);
    expect(refusal({ a: 1 }, move("/b", "/a"))).toMatch(message);
    expect(refusal({ a: 1 }, move("/b", "/b"))).toMatch(message);
  });

  it("removing what was removed before is refused", () => {
    expect(refusal({ a: 1 }, remove("/a"), remove("/a"))).toMatch(/^operation 1 .*: there is no member "a"$/);
  });

  it("a member whose value is null, false, 0 or empty is there", () => {
    for (const value of [null, false, 0, "", [], {}]) {
      expect(patched({ a: value }, remove("/a"))).toEqual({});
      expect(patched({ a: value }, replace("/a", 1))).toEqual({ a: 1 });
      expect(patched({ a: value }, copy("/a", "/b"))).toEqual({ a: value, b: value });
    }
  });

  it.each(["toString", "hasOwnProperty", "valueOf", "isPrototypeOf", "__defineGetter__"])(
    "the inherited %s is not there until it is added",
    (name) => {
      const message = new RegExp(`there is no member "${name}"$`);

      expect(refusal({}, remove(`/${name}`))).toMatch(message);
      expect(refusal({}, replace(`/${name}`, 1))).toMatch(message);
      expect(refusal({}, copy(`/${name}`, "/a"))).toMatch(message);
      expect(refusal({}, move(`/${name}`, "/a"))).toMatch(message);
      expect(refusal({}, add(`/${name}/a`, 1))).toMatch(message);
      expect(patched({}, add(`/${name}`, 1), copy(`/${name}`, "/a"))).toEqual({ [name]: 1, a: 1 });
    },
  );

  it('"-", digits and the empty name are names like any other', () => {
    expect(patched({}, add("/-", 1), add("/01", 2), add("/", 3))).toEqual({ "-": 1, "01": 2, "": 3 });
    expect(patched({ "-": 1, "01": 2, "": 3 }, remove("/-"), remove("/01"), remove("/"))).toEqual({});
    expect(patched({ "": { "": 1 } }, replace("//", 2))).toEqual({ "": { "": 2 } });
  });

  it('"~1" stands for "/", "~0" for "~", and "~01" for "~1"', () => {
    expect(patched({}, add("/a~1b", 1), add("/m~0n", 2), add("/~01", 3))).toEqual({
      "a/b": 1,
      "m~n": 2,
      "~1": 3,
    });
    expect(patched({ "a/b": { "~1": 1 } }, move("/a~1b/~01", "/a~0b"))).toEqual({ "a/b": {}, "a~b": 1 });
  });

  it("a percent sign and a backslash stand for themselves", () => {
    expect(
      patched({ "c%d": 1, "k\\l": 2, 'g"h': 3 }, remove("/c%d"), remove("/k\\l"), remove('/g"h')),
    ).toEqual({});
  });
});

describe("where there is neither a list nor an object", () => {
  it.each([
    ["null", null],
    ["a string", "text"],
    ["a number", 1],
    ["a boolean", true],
  ])("%s holds nothing", (kind, value) => {
    expect(refusal([value], add("/0/a", 1))).toMatch(new RegExp(`cannot add a member to ${kind}$`));
    expect(refusal([value], remove("/0/a"))).toMatch(new RegExp(`${kind} has no member "a"$`));
    expect(refusal([value], copy("/0/length", "/-"))).toMatch(new RegExp(`${kind} has no member "length"$`));
    expect(refusal([value], replace("/0/0", 1))).toMatch(new RegExp(`${kind} has no member "0"$`));
  });
});
