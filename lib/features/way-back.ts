/** The way from the variants after a change back to those before it: the difference by name, or the whole list. */
import { isDeepStrictEqual } from "node:util";
import { storedBytes } from "../contract/item-size.ts";
import type { Variant } from "../contract/variants.ts";
import { byName, type NamelessVariant, withoutName } from "./variant-list.ts";

/** Members that differ, null for one to remove. */
type Members = { [Member in keyof NamelessVariant]?: NamelessVariant[Member] | null };

/** Null for a variant that the change added. */
export type Difference = [name: string, members: Members | null];

export type WayBack = { variants: Variant[] } | { differences: Difference[] };

/** The difference restores lists that are sorted by name; an import may have kept another order. */
export function wayBack(after: readonly Variant[], before: Variant[]): WayBack {
  const differences = { differences: differencesBetween(after, before) };
  const whole = { variants: before };
  const isSorted = before.every(
    (variant, index) => index === 0 || byName(before[index - 1] ?? variant, variant) < 0,
  );
  return isSorted && storedBytes(differences) < storedBytes(whole) ? differences : whole;
}

export function restore(after: readonly Variant[], way: WayBack): Variant[] {
  if ("variants" in way) return way.variants;
  const restored = new Map(after.map((variant) => [variant.name, variant]));
  for (const [name, members] of way.differences) {
    if (members === null) restored.delete(name);
    else restored.set(name, withoutNulls({ ...restored.get(name), name, ...members }));
  }
  return [...restored.values()].sort(byName);
}

function differencesBetween(after: readonly Variant[], before: readonly Variant[]): Difference[] {
  const names = new Set(before.map(({ name }) => name));
  const has = new Map(after.map((variant) => [variant.name, variant]));
  const added = after.filter(({ name }) => !names.has(name));
  return [
    ...added.map(({ name }): Difference => [name, null]),
    ...before
      .filter((variant) => !isDeepStrictEqual(variant, has.get(variant.name)))
      .map((variant): Difference => [variant.name, membersBetween(has.get(variant.name), variant)]),
  ];
}

function membersBetween(after: Variant | undefined, before: Variant): Members {
  if (!after) return withoutName(before);
  const was = new Map<string, unknown>(Object.entries(before));
  const is = new Map<string, unknown>(Object.entries(after));
  const members = [...new Set([...was.keys(), ...is.keys()])];
  const different = members.filter((member) => !isDeepStrictEqual(was.get(member), is.get(member)));
  return Object.fromEntries(different.map((member) => [member, was.get(member) ?? null]));
}

function withoutNulls(members: Members & { name: string }): Variant {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null),
  ) as unknown as Variant;
}
