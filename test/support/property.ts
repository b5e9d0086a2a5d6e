/** Declares tests that hold for any drawn values, as `test.prop` of @fast-check/vitest does. */
import fc from "fast-check";
import { it } from "vitest";

type Arbitraries<Values> = { [At in keyof Values]: fc.Arbitrary<Values[At]> };

export function itProp<Values extends [unknown, ...unknown[]]>(
  arbitraries: Arbitraries<Values>,
  options?: fc.Parameters<Values>,
): (name: string, check: (...values: Values) => void) => void {
  return (name, check) => it(name, () => fc.assert(fc.property(...arbitraries, check), options));
}
