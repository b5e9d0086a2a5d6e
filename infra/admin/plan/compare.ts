/** Finds the members that two maps do not share: created without `before`, removed without `after`. */
import { isDeepStrictEqual } from "node:util";

export interface Pair<Value> {
  name: string;
  before: Value | undefined;
  after: Value | undefined;
}

/** What is removed comes last. */
export function compare<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  isSame: (before?: Value, after?: Value) => boolean = isDeepStrictEqual,
): Pair<Value>[] {
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((name) => ({ name, before: before.get(name), after: after.get(name) }))
    .filter((pair) => !isSame(pair.before, pair.after));
}
