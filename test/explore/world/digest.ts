/** Identifies states and histories. */
import { hash } from "node:crypto";

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
