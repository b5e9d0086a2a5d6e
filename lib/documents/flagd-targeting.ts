/** Makes the JSON Logic by which flagd chooses a variant, and places it in a flag's targeting. */
import { type ServedFeature, stickinessOf } from "./format.ts";
import type { Omissions } from "./left-out.ts";

export type Operation = Record<string, unknown>;

/** A condition that always holds, as a text that is not empty. The next export finds its rule by it. */
export const marker = (feature: string) => `variants of ${feature}`;

/** The first rule that matches wins, as in Unleash's SDKs. */
export function toTargeting(feature: ServedFeature, omissions: Omissions): Operation {
  const rules = [...toOverrides(feature, omissions), ...toSpread(feature, omissions)];
  const [only = null, ...more] = rules;
  return { if: [marker(feature.name), more.length > 0 ? { if: rules } : only] };
}

/**
 * Replaces the rule of an earlier export, which the marker identifies. Without one, replaces the only `fractional` whose
 * buckets all name variants of this feature. Returns undefined if there is neither. Of a feature that has lost `red`:
 *
 *   before  { if: ["variants of checkout", { fractional: [["blue", 500], ["red", 500]] }] }
 *   after   { if: ["variants of checkout", "blue"] }, gone: red
 *
 * `gone` has the variants of the replaced rule that nothing names any more: neither the feature, nor the rest of its
 * targeting, nor `shared`, to which all targetings can refer.
 */
export function replaceTargeting(
  targeting: unknown,
  { name, variants }: ServedFeature,
  rule: Operation,
  shared: ReadonlySet<unknown>,
) {
  const names = new Set<unknown>(variants.map((variant) => variant.name));
  const isMarked = ({ if: given }: Operation) => Array.isArray(given) && given[0] === marker(name);
  const isSpread = ({ fractional }: Operation) => {
    const buckets = Array.isArray(fractional) ? fractional.filter(Array.isArray) : [];
    return buckets.length > 0 && buckets.every(([variant]) => names.has(variant));
  };
  const replaced = replaceOnly(targeting, isMarked, rule) ?? replaceOnly(targeting, isSpread, rule);
  if (!replaced) return undefined;
  const { if: [, earlier] = [] } = replaced.place;
  const own = new Set(valuesIn(replaced.targeting, rule));
  const gone = served(earlier).filter((one) => ![names, own, shared].some((kept) => kept.has(one)));
  return { targeting: replaced.targeting, gone: new Set(gone) };
}

/** Whether there are variants that `replaceTargeting` would place. */
export function mayHavePlace(targeting: unknown, feature: string): boolean {
  if (typeof targeting !== "object" || targeting === null) return false;
  const { if: branches, fractional } = targeting as Operation;
  const isPlace = Array.isArray(fractional) || (Array.isArray(branches) && branches[0] === marker(feature));
  return isPlace || Object.values(targeting).some((one) => mayHavePlace(one, feature));
}

/**
 * All values in the logic, except below `except`. Each may be the name of a variant that is served, as any operation can
 * return one: `or` and `and` too.
 */
export function valuesIn(logic: unknown, except?: Operation): unknown[] {
  if (logic === except) return [];
  if (typeof logic !== "object" || logic === null) return [logic];
  return Object.values(logic).flatMap((one) => valuesIn(one, except));
}

function replaceOnly(
  targeting: unknown = null,
  isPlace: (operation: Operation) => boolean,
  rule: Operation,
): { targeting: unknown; place: { if?: unknown[] } } | undefined {
  const places: Operation[] = [];
  const replaced = JSON.parse(JSON.stringify(targeting), (_, value) => {
    // An operation of JSON Logic has one member.
    const isOperation = typeof value === "object" && value !== null && Object.keys(value).length === 1;
    if (!isOperation || !isPlace(value)) return value;
    places.push(value);
    return rule;
  });
  const [place, ...others] = places;
  return place && others.length === 0 ? { targeting: replaced, place } : undefined;
}

/** The variants of the rule of an earlier export. */
function served(rule: unknown): unknown[] {
  if (typeof rule === "string") return [rule];
  if (typeof rule !== "object" || rule === null) return [];
  const { if: branches, fractional } = rule as Operation;
  if (Array.isArray(fractional)) return fractional.filter(Array.isArray).map(([variant]) => variant);
  if (!Array.isArray(branches)) return [];
  // Results follow their conditions; the last may have none.
  return branches.filter((_, index) => index % 2 === 1 || index === branches.length - 1).flatMap(served);
}

function toOverrides({ name: feature, variants }: ServedFeature, omissions: Omissions): unknown[] {
  return variants.flatMap(({ name, overrides = [] }) => {
    const conditions = overrides.map(({ contextName, values }) => ({
      in: [attribute(contextName, "overrides", feature, omissions), values],
    }));
    const [only, ...more] = conditions;
    if (!only) return [];
    return [more.length > 0 ? { or: conditions } : only, name];
  });
}

function toSpread(feature: ServedFeature, omissions: Omissions): unknown[] {
  const spread = feature.variants.filter(({ weight }) => weight > 0);
  const [only, ...more] = spread;
  if (only && more.length === 0) return [only.name];
  const buckets = spread.map(({ name, weight }) => [name, weight]);
  const stickiness = stickinessOf(feature, "a flag has one: that of the first variant is used", omissions);
  if (stickiness === "random") {
    omissions.add("stickiness", "flagd has no random: the targeting key is used", feature.name);
  }
  if (stickiness === "default" || stickiness === "random") return [{ fractional: buckets }];
  const by = attribute(stickiness, "stickiness", feature.name, omissions);
  // The flag's name makes a user's variants of two flags independent, as flagd's own seed does.
  const seed = { cat: [{ var: "$flagd.flagKey" }, by] };
  // Users without the attribute get the default variant, instead of all landing in one bucket.
  return [by, { fractional: [seed, ...buckets] }];
}

function attribute(name: string, what: string, feature: string, omissions: Omissions): { var: string } {
  if (/[.\\]/.test(name)) {
    omissions.add(what, `flagd reads "${name}" as a path into the context`, feature);
  }
  return { var: name };
}
