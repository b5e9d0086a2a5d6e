/** Checks the lists of batches. */
import { invalid, NotUnderstood } from "./refusals.ts";
import type { Item } from "./values.ts";

/** All of a batch, with the tables that they are of. */
export function entriesOf<Request>(
  requests: Readonly<Record<string, readonly Request[]>>,
  most: number,
): (readonly [table: string, request: Request])[] {
  const lists = Object.entries(requests);
  const all = lists.flatMap(([table, list]) => list.map((request) => [table, request] as const));
  if (lists.length === 0 || lists.some(([, list]) => list.length === 0))
    throw new NotUnderstood("a batch with no request for a table, or for none");
  if (all.length > most) throw new NotUnderstood(`a batch of more than ${most} requests`);
  return all;
}

/** A key is a copy of an item's own attributes, in the order of the table's. */
export function requireDistinct(keys: readonly (readonly [table: string, key: Item])[]): void {
  if (new Set(keys.map((key) => JSON.stringify(key))).size < keys.length)
    throw invalid("Provided list of item keys contains duplicates");
}

export const mostWrites = 25;
export const mostReads = 100;
