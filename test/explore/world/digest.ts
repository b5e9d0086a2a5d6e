/** Identifies states and histories. */
import { hash } from "node:crypto";
import type { Item } from "../../../infra/engine/values.ts";
import type { ExploredTable, TableCall } from "../table/table.ts";

export function digest(value: unknown): string {
  return hash("md5", JSON.stringify(value), "base64");
}

/** Computes what follows from an object that never changes, such as an item, once for each. */
export function rememberedBy<Given extends object, Result>(
  compute: (given: Given) => Result,
): (given: Given) => Result {
  const results = new WeakMap<Given, { result: Result }>();
  return (given) => {
    const known = results.get(given) ?? { result: compute(given) };
    results.set(given, known);
    return known.result;
  };
}

export const digestOfCall = rememberedBy(({ operation, input }: TableCall) => digest([operation, input]));

export const digestOf = rememberedBy((item: Item) => digest(inOrder(item)));

export const digestOfTable = rememberedBy((table: ExploredTable) =>
  digest([...table.values()].map(digestOf).sort()),
);

/** The order of a map's members means nothing. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([name, inner]) => [name, inOrder(inner)]);
}
