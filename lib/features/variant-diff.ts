/** The JSON Patch by name between two lists of variants, for a person to read. */
import { isDeepStrictEqual } from "node:util";
import { formatPointer } from "../contract/json-pointer.ts";
import type { DifferenceOperation } from "../contract/responses.ts";
import type { Variant } from "../contract/variants.ts";
import { withoutName } from "./variant-form.ts";

export function variantDifference(
  before: readonly Variant[],
  after: readonly Variant[],
): DifferenceOperation[] {
  const had = new Map(before.map((variant) => [variant.name, variant]));
  const has = new Set(after.map(({ name }) => name));
  return [
    ...before
      .filter(({ name }) => !has.has(name))
      .map(({ name }) => ({ op: "remove" as const, path: formatPointer([name]) })),
    ...after.flatMap((variant): DifferenceOperation[] => {
      const path = formatPointer([variant.name]);
      const old = had.get(variant.name);
      return old ? memberDifference(old, variant, path) : [{ op: "add", path, value: withoutName(variant) }];
    }),
  ];
}

/** A member is replaced as a whole: it is short, and reads better than its parts. */
function memberDifference(before: Variant, after: Variant, path: string): DifferenceOperation[] {
  const had = new Map<string, unknown>(Object.entries(before));
  const removed = [...had.keys()].filter((member) => !Object.hasOwn(after, member));
  return [
    ...removed.map((member) => ({ op: "remove" as const, path: `${path}/${member}` })),
    ...Object.entries(after)
      .filter(([member, value]) => !isDeepStrictEqual(value, had.get(member)))
      .map(([member, value]) => ({
        op: had.has(member) ? ("replace" as const) : ("add" as const),
        path: `${path}/${member}`,
        value,
      })),
  ];
}
