/** Why operations are refused. What they do: conformance.test.ts */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../lib/contract/json.ts";
import { limits } from "../../../../lib/contract/limits.ts";
import type { PatchOperation } from "../../../../lib/contract/patch.ts";
import { add, copy, move, patched, refusal, remove, replace, times } from "../../../support/patching.ts";

const list = ["a", "b", "c"];
const nested = (levels: number): Json => (levels === 0 ? [] : [nested(levels - 1)]);

it("after the whole tree is removed, nothing can be added to the null that is left", () => {
  expect(patched(["old"], remove(""))).toBeNull();
  expect(refusal(["old"], remove(""), add("/-", 1))).toBe(
    "operation 1 (add /-): cannot add a member to null",
  );
});

it.each(["01", "-1", "+1", "1.0", "1e0", " 1", "1\n", "", "length", "9".repeat(400)])(
  "%j is refused as an index of a list",
  (token) => {
    for (const operation of [add(`/${token}`, "x"), ...from(`/${token}`, "/-")])
      expect(refusal(list, operation)).toMatch(/is not an index of a list$/);
  },
);

it("a move of the whole tree to its own place changes nothing", () => {
  expect(patched(["old"], move("", ""))).toEqual(["old"]);
});

describe("the message of a refused patch", () => {
  it.each([
    [add("/a", 1), 'operation 1 (add /a): "a" is not an index of a list'],
    [add("/0/a/b", 1), 'operation 1 (add /0/a/b): there is no member "a"'],
    [remove("/0/a/b"), 'operation 1 (remove /0/a/b): there is no member "a"'],
    [add("/toString/a", 1), 'operation 1 (add /toString/a): "toString" is not an index of a list'],
    [copy("/0/toString", "/-"), 'operation 1 (copy /0/toString to /-): there is no member "toString"'],
    [add("/-/0", 1), 'operation 1 (add /-/0): "-" is the end of the list, where there is no element'],
    [replace("/2", 1), "operation 1 (replace /2): there is no index 2: the list's length is 1"],
    [copy("/0/a", "/-"), 'operation 1 (copy /0/a to /-): there is no member "a"'],
    [move("/-", "/-"), 'operation 1 (move /- to /-): "-" is the end of the list, where there is no element'],
    [add("/3", 1), "operation 1 (add /3): there is no index 3: the list's length is 1"],
    [move("/0", "/1"), "operation 1 (move /0 to /1): there is no index 1: the list's length is 0"],
    [move("/0", "/0/-"), "operation 1 (move /0 to /0/-): a value cannot be moved into itself"],
    [move("", "/-"), 'operation 1 (move "" to /-): a value cannot be moved into itself'],
  ])("names the index, the op, the path, and the first token that is absent: %j", (operation, message) => {
    expect(refusal([], add("/-", {}), operation)).toBe(message);
  });

  it.each([
    ["null", null],
    ["a string", "text"],
  ])("says that %s has no members", (kind, value) => {
    expect(refusal([value], add("/0/a", 1))).toMatch(new RegExp(`cannot add a member to ${kind}$`));
    expect(refusal([value], copy("/0/length", "/-"))).toMatch(new RegExp(`${kind} has no member "length"$`));
  });

  it("has the first 120 characters of a path, and the first 60 of a name", () => {
    const name = "n".repeat(60);
    const path = `/${name}/${"p".repeat(58)}`;
    const cut = `/n${path}`.slice(0, 120);
    const absent = (at: string, member: string) =>
      `operation 0 (remove ${at}): there is no member "${member}"`;

    expect(refusal({}, remove(path))).toBe(absent(path, name));
    expect(refusal({}, remove(`/n${path}`))).toBe(absent(`${cut}...`, "n"));
    expect(refusal({}, remove(`/n${name}`))).toBe(absent(`/n${name}`, `n${name.slice(0, 59)}...`));
  });

  it("does not hide an error of the service", () => {
    const unchecked = { op: "remove", path: 5 as unknown as string } as const;

    expect(() => patched([], unchecked)).toThrow(TypeError);
  });
});

/** Every operation that needs an existing value at this path. */
function from(path: string, to: string): PatchOperation[] {
  return [remove(path), replace(path, 1), copy(path, to), move(path, to)];
}

it("the patched variants may have 32 levels, and no more", () => {
  expect(patched(nested(15), add(`${"/0".repeat(15)}/-`, nested(15)))).toEqual(nested(31));
  expect(refusal(nested(31), add(`${"/0".repeat(31)}/-`, []))).toContain(
    "the patched value would be nested deeper than 32 levels",
  );
  expect(refusal(nested(15), add(`${"/0".repeat(15)}/-`, nested(16)))).toContain(
    "the patched value would be nested deeper than 32 levels",
  );
  expect(refusal(nested(16), copy("", `${"/0".repeat(16)}/-`))).toContain(
    "the patched value would be nested deeper than 32 levels",
  );
});

it("a patch may move 1 MiB in total, and no more; what it moves to its own place or removes does not count", () => {
  const eighths = times(8, () => replace("/0", "x".repeat(limits.patchBytes / 8)));

  expect(patched([1], ...times(1000, () => move("", "")), ...eighths, remove("/0"))).toEqual([]);
  expect(refusal([1], ...eighths, replace("/0", "x"))).toBe(
    "operation 8 (replace /0): the operations add more than 1 MiB in total",
  );
});
