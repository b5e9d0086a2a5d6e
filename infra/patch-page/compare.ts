/** Compares variants, member by member, in words. */
import type { Variant } from "../../lib/contract/variants.ts";

/** The members of a variant as a person reads them; an absent one is left out. */
export function membersOf({ weight, weightType, stickiness, payload, overrides = [] }: Variant) {
  const listed = overrides.map(({ contextName, values }) => `${contextName}: ${values.join(", ")}`);
  const members: Record<string, string> = { weight: String(weight), "weight type": weightType };
  if (stickiness !== "default") members.stickiness = stickiness;
  if (payload) members[`payload (${payload.type})`] = payload.value;
  if (listed.length > 0) members.overrides = listed.join("\n");
  return members;
}

/** The names of the members in which they differ. */
export function differing(before: Variant, after: Variant): string[] {
  const [had, has] = [membersOf(before), membersOf(after)];
  return Object.keys({ ...had, ...has }).filter((name) => had[name] !== has[name]);
}

/** One line for each variant that was added, removed or changed. */
export function changeLines(before: readonly Variant[], after: readonly Variant[]): string[] {
  const names = [...new Set([...before, ...after].map(({ name }) => name))];
  return names.flatMap((name) => {
    const [had, has] = [find(before, name), find(after, name)];
    if (!had || !has) return [`${name} was ${had ? "removed" : "added"}`];
    const [from, to] = [membersOf(had), membersOf(has)];
    return differing(had, has).map(
      (each) => `${name}: ${each} ${from[each] ?? "none"} → ${to[each] ?? "none"}`,
    );
  });
}

export function find(variants: readonly Variant[], wanted: string): Variant | undefined {
  return variants.find(({ name }) => name === wanted);
}
