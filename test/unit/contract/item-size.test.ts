import { describe, expect, it } from "vitest";
import { storedBytes } from "../../../lib/contract/item-size.ts";

describe("the bytes that a value takes in an item", () => {
  it.each([
    ["", 0],
    ["é€😀", 9],
    [null, 1],
    [true, 1],
    [1000, 1],
    [[], 3],
    [["ab", null], 3 + (1 + 2) + (1 + 1)],
    [{ né: ["ab"] }, 3 + 1 + 3 + (3 + 1 + 2)],
  ])("of %j are %i", (value, bytes) => {
    expect(storedBytes(value)).toBe(bytes);
  });
});
