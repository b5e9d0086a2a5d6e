/** Orders items by their places in a table or an index. */
import type { KeyNames } from "./definition.ts";
import { namesIn } from "./definition.ts";
import { toNumber } from "./paths.ts";
import type { Item } from "./values.ts";
import { compareText } from "./values.ts";

/**
 * The values of a key; parts at the same position have the same type. Several items may have one key of an index, so
 * their places there end with the key of the table.
 */
export type KeyPlace = readonly (string | number)[];

export function placeOf(item: Item, ...keys: readonly KeyNames[]): KeyPlace {
  return keys.flatMap(namesIn).map((name) => {
    const value = item[name];
    if (value && "S" in value) return value.S;
    if (value && "N" in value) return toNumber(value);
    // A character for each byte has the order of the bytes.
    if (value && "B" in value) return Buffer.from(value.B, "base64").toString("latin1");
    throw new Error(`an item was not checked for its key ${name}`);
  });
}

/** A place comes before the longer ones that begin with it. */
export function comparePlaces(left: KeyPlace, right: KeyPlace): number {
  for (const [index, one] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = comparePart(one, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

export function comparePart(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return compareText(String(left), String(right));
}

/** Returns the index of the first element of a sorted list that comes after; its length if there is none. */
export function firstAfter<One>(sorted: readonly One[], comesAfter: (one: One) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesAfter(sorted[middle] as One)) high = middle;
    else low = middle + 1;
  }
  return low;
}
