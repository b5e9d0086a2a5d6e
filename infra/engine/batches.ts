/** Reads and checks the requests of a batch. */
import { invalid, NotUnderstood } from "./refusals.ts";
import type { Item } from "./values.ts";

/** Returns the requests of a batch, each with its table. */
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

/** Refuses two requests for one item. Keys have their attributes in the order of the table's, so equal keys have equal JSON. */
export function requireDistinct(keys: readonly (readonly [table: string, key: Item])[]): void {
  if (new Set(keys.map((key) => JSON.stringify(key))).size < keys.length)
    throw invalid("Provided list of item keys contains duplicates");
}

export const mostWrites = 25;
export const mostReads = 100;
