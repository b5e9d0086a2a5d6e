/** The size of values as DynamoDB stores them. */
import { describe, expect, it } from "vitest";
import { itemBytes } from "../../../infra/engine/values.ts";
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
    [10_001, 4],
    [110, 3],
    [-120, 4],
    [1.5, 3],
    [Number.MAX_SAFE_INTEGER, 9],
    [2 ** 53 * 4, 10],
    [12.5, 3],
    [-0.0333, 4],
    [1.5e300, 3],
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

  it.each([0, 7, 10, 99, 100, 110, 1234, 10_001, 12_340, -5, 0.5, 0.05, -0.0333, 33.3, 1.5, 1e21, 1.25e-7])(
    "of the number %d are those that the engine counts",
    (number) => {
      const text = number.toLocaleString("en", { useGrouping: false, maximumSignificantDigits: 17 });

      expect(storedBytes(number)).toBe(itemBytes({ "": { N: text } }));
    },
  );
});
