import { describe, expect, it } from "vitest";
import { NestedTooDeep, storedBytes } from "../../../../lib/contract/item-size.ts";
import { limits } from "../../../../lib/contract/limits.ts";
import type { Json } from "../../../../lib/features/json-patch/json.ts";
import { add, copy, move, patched, refusal, remove, replace, times } from "../../../support/patching.ts";

describe("the weight of a value", () => {
  it.each<[Json, number]>([
    [null, 1],
    [true, 1],
    ["", 0],
    ["abc", 3],
    ["é€😀", 9],
    // Numbers count for the least that they can take.
    [12.5, 1],
    [[], 3],
    [{}, 3],
    [["ab", null], 3 + (1 + 2) + (1 + 1)],
    [{ né: "ab" }, 3 + (1 + 3 + 2)],
    [[{ a: [] }], 3 + 1 + 3 + (1 + 1 + 3)],
  ])("of %j is %i bytes", (value, bytes) => {
    expect(storedBytes(value)).toBe(bytes);
  });

  it("is refused for more levels than asked for", () => {
    const levels = (count: number) => times(count - 1, () => 0).reduce<Json>((inner) => [inner], []);

    expect(storedBytes(levels(32), 32)).toBe(31 * 4 + 3);
    expect(storedBytes({ a: [] }, 2)).toBe(8);
    expect(storedBytes("leaf", 0)).toBe(4);
    expect(() => storedBytes(levels(33), 32)).toThrow(NestedTooDeep);
    expect(() => storedBytes({ a: [] }, 1)).toThrow(NestedTooDeep);
    expect(() => storedBytes([], 0)).toThrow(NestedTooDeep);
    expect(() => storedBytes(levels(5_000), 32)).toThrow(NestedTooDeep);
  });

  it("is that of all levels unless a number of levels is given", () => {
    expect(storedBytes([[[[]]]])).toBe(3 * 4 + 3);
  });
});

describe("the list that a patch builds", () => {
  const half = "x".repeat(limits.itemBytes / 2);

  it("may be as large as an item, and no larger", () => {
    const most = "x".repeat(limits.itemBytes - 3);

    expect(patched([], add("/-", most))).toEqual([most]);
    expect(refusal([], add("/-", `${most}x`))).toMatch(
      "the variants would be larger than a stored item (400 KB)",
    );
  });

  it("gets no room for what an object inherits, as that is nothing it holds", () => {
    const most = "x".repeat(limits.itemBytes - 3);

    expect(patched({}, add("/toString", most))).toEqual({ toString: most });
    expect(refusal({}, add("/toString", `${most}x`))).toMatch("(400 KB)");
  });

  it("may become smaller again, and larger again after that", () => {
    expect(patched([half], remove("/0"), add("/-", half), remove("/0"), add("/-", half))).toHaveLength(1);
  });

  it("is judged by what is left of it: what takes an old value's place counts alone", () => {
    expect(patched([half], replace("/0", half))).toHaveLength(1);
    expect(patched({ a: half }, add("/a", half))).toEqual({ a: half });
    expect(patched([half], add("", [half]))).toHaveLength(1);
    expect(refusal([half], add("/-", half))).toMatch(/400 KB/);
    expect(refusal([half], copy("/0", "/-"))).toMatch(/400 KB/);
  });

  it("may be larger than an item before, as long as it is made smaller", () => {
    const large = [half, half, half];

    expect(patched(large, remove("/0"), remove("/0"))).toHaveLength(1);
    expect(refusal(large, replace("/0", half))).toMatch(/400 KB/);
  });
});

describe("the work of a patch", () => {
  const variants = times(390, () => "x".repeat(1000));

  it("is enough to replace all that an item holds", () => {
    expect(patched(variants, replace("", variants))).toHaveLength(390);
    expect(patched(variants, ...variants.map((value, index) => replace(`/${index}`, value)))).toHaveLength(
      390,
    );
  });

  it("is enough to bring all that an item holds into another order", () => {
    expect(patched(variants, ...variants.map((_, index) => move(`/${index}`, "/0")))).toHaveLength(390);
  });

  it("is 1 MB in all, and no more", () => {
    const eighth = "x".repeat(limits.patchBytes / 8);
    const patch = times(8, () => replace("/0", eighth));

    expect(patched([1], ...patch)).toEqual([eighth]);
    expect(refusal([1], ...patch, replace("/0", "x"))).toBe(
      "operation 8 (replace /0): the patch moves more than 1 MB in total",
    );
  });

  it("is none where a value is moved to where it is", () => {
    expect(patched(variants, ...times(1000, () => move("", "")))).toHaveLength(390);
  });
});
