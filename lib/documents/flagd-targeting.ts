/**
 * Makes the JSON Logic by which flagd chooses a variant. The first strategy that matches decides, as in Unleash's SDKs.
 */
import type { Variant } from "../contract/variants.ts";
import { activeStrategies } from "../features/active-strategies.ts";
import { attribute, type Logic, strategyLogic, usesTargetingKey } from "./flagd-conditions.ts";
import { reportMixedStickiness, type ServedFeature } from "./format.ts";
import type { DocumentOmissions } from "./omissions.ts";

/** A branch of an `if`. A condition that is undefined always holds. */
type Branch = readonly [condition: Logic | undefined, result: Logic];

/** The values of a Boolean flag, which a feature without variants becomes. */
export const on = "on";
export const off = "off";

/**
 * Returns undefined if the default variant is enough. `isBoolean` says that neither the feature nor one of its
 * strategies has variants.
 */
export function toTargeting(
  feature: ServedFeature,
  { isBoolean }: { isBoolean: boolean },
  omissions: DocumentOmissions,
): Logic | undefined {
  const { name, variants, strategies } = feature;
  if (strategies.length === 0 && isBoolean) return undefined;
  const rules = activeStrategies(strategies).map((strategy) => ({
    condition: strategyLogic(strategy),
    ownBranches: variantBranches(name, strategy.variants, omissions),
  }));
  // No omission is reported for variants that no strategy uses.
  const isUsed = strategies.length === 0 || rules.some(({ ownBranches }) => ownBranches.length === 0);
  const ofFeature = isUsed ? variantBranches(name, variants, omissions) : [];
  const featureLogic = isBoolean ? on : toIf(ofFeature);
  if (strategies.length === 0) return asObject(featureLogic);
  const branches = rules.map(
    ({ condition, ownBranches }): Branch => [
      condition,
      ownBranches.length > 0 ? toIf(ownBranches) : featureLogic,
    ],
  );
  const shortened = mentionOnce(featureLogic, joinNeighbours(branches));
  return asObject(toIf(isBoolean ? [...shortened, [undefined, off]] : shortened));
}

/**
 * Joins neighbours with the same result, up to the first branch that always holds. That one stays alone: without the
 * conditions before it, an error of theirs would no longer end the evaluation.
 */
function joinNeighbours(branches: readonly Branch[]): Branch[] {
  const joined: { conditions: Logic[]; result: Logic }[] = [];
  for (const [condition, result] of branches) {
    const last = joined.at(-1);
    if (condition !== undefined && last?.result === result) last.conditions.push(condition);
    else joined.push({ conditions: condition === undefined ? [] : [condition], result });
    if (condition === undefined) break;
  }
  return joined.map(({ conditions, result }) => {
    const [only, ...more] = conditions;
    return [more.length > 0 ? { or: conditions } : only, result];
  });
}

/**
 * Mentions a result once, in a branch of its own that comes first, if that is shorter: the overrides of a feature may have
 * thousands of values. Its condition repeats the conditions of all branches instead. For example:
 *
 *   before   if a: RESULT, if b: other, if c: RESULT
 *   after    if (if a: true, if b: false, if c: true, else false): RESULT, if b: other
 */
function mentionOnce(result: Logic, branches: readonly Branch[]): readonly Branch[] {
  const matchesResult = toIf([
    ...branches.map(([condition, one]): Branch => [condition, one === result]),
    [undefined, false],
  ]);
  const others = branches.filter(([, one]) => one !== result);
  const repeated = branches.length - others.length - 1;
  const isShorter = repeated > 0 && lengthOf(matchesResult) < repeated * lengthOf(result);
  return isShorter ? [[matchesResult, result], ...others] : branches;
}

const lengthOf = (logic: Logic): number => JSON.stringify(logic).length;

/** flagd requires an object, so a constant becomes an `if` that always holds. */
function asObject(logic: Logic): Logic {
  return typeof logic === "object" && logic !== null ? logic : { if: [true, logic] };
}

/** Returns null for no branches: applications then get the default of their code. */
function toIf(branches: readonly Branch[]): Logic {
  const end = branches.findIndex(([condition]) => condition === undefined);
  const reached = end < 0 ? branches : branches.slice(0, end + 1);
  const operands = reached.flatMap(([condition, result]) =>
    condition === undefined ? [result] : [condition, result],
  );
  const [only = null, ...more] = operands;
  return more.length > 0 ? { if: operands } : only;
}

/**
 * Returns no branches if no variant has a weight: SDKs of Unleash then ignore the overrides, or a strategy's whole
 * list.
 */
function variantBranches(
  feature: string,
  variants: readonly Variant[],
  omissions: DocumentOmissions,
): Branch[] {
  const spread = spreadBranches(feature, variants, omissions);
  if (spread.length === 0) return [];
  const overrides = variants.flatMap(({ name, overrides = [] }) =>
    overrides.map(({ contextName, values }): Branch => [{ in: [attribute(contextName), values] }, name]),
  );
  return [...overrides, ...spread];
}

/** Spreads users over the variants by their weights. */
function spreadBranches(
  feature: string,
  variants: readonly Variant[],
  omissions: DocumentOmissions,
): Branch[] {
  const weighted = variants.filter(({ weight }) => weight > 0);
  const [only, ...more] = weighted;
  if (!only) return [];
  if (more.length === 0) return [[undefined, only.name]];
  const buckets = weighted.map(({ name, weight }) => [name, weight]);
  reportMixedStickiness(feature, variants, "a flag has one: that of the first variant is used", omissions);
  const { stickiness } = variants[0] ?? only;
  if (stickiness === "random") {
    omissions.add({
      what: "stickiness",
      why: "flagd has no random: the targeting key is used",
      which: feature,
    });
  }
  if (usesTargetingKey(stickiness)) return [[undefined, { fractional: buckets }]];
  const by = attribute(stickiness);
  // The flag's name makes a user's variants of two flags independent, as flagd's own seed does.
  const seed = { cat: [{ var: "$flagd.flagKey" }, by] };
  // Users without the attribute get the default variant, instead of all landing in one bucket.
  return [[by, { fractional: [seed, ...buckets] }]];
}
