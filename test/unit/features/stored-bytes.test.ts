/** The size of values as DynamoDB stores them. */
import { describe, expect, it } from "vitest";
import { storedBytes } from "../../../lib/features/stored-bytes.ts";
import { times } from "../../support/patching.ts";

const levels = (count: number) => times(count - 1, () => 0).reduce<unknown>((inner) => [inner], []);

describe("the bytes that a value takes in an item", () => {
  it.each<[unknown, number, depth?: number]>([
    ["", 0],
    ["abc", 3],
    ["é€😀", 9],
    [null, 1],
    [0, 1],
    [5, 2],
    [1000, 2],
    [333, 3],
    [10_101, 4],
    [-120, 3],
    [Number.MAX_SAFE_INTEGER, 9],
    [2 ** 53 * 4, 9],
    [12.5, 3],
    [-0.0333, 4],
    [1.5e300, 2],
    [[], 3],
    [{}, 3],
    [["ab", null], 3 + (1 + 2) + (1 + 1)],
    [{ né: ["ab"] }, 3 + 1 + 3 + (3 + 1 + 2)],
    [[{ a: [] }], 3 + 1 + 3 + (1 + 1 + 3)],
    // With at most this many levels.
    [levels(32), 31 * 4 + 3, 32],
    [{ a: [] }, 8, 2],
    ["leaf", 4, 0],
  ])("of %j are %i", (value, bytes, depth) => {
    expect(storedBytes(value, depth)).toBe(bytes);
  });

  it.each<[string, unknown, number]>([
    ["33 levels", levels(33), 32],
    ["an object of 2 levels", { a: [] }, 1],
  ])("are not counted beyond the depth: %s", (_, value, depth) => {
    expect(storedBytes(value, depth)).toBe(Number.POSITIVE_INFINITY);
  });
});
