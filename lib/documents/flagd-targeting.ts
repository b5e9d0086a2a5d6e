/** Makes the JSON Logic by which flagd chooses a variant. The first rule that matches decides, as in Unleash's SDKs. */
import type { Variant } from "../contract/variants.ts";
import { attribute, type Logic, toCondition, usesTargetingKey } from "./flagd-conditions.ts";
import { activeStrategies, type ServedFeature, stickinessOf } from "./format.ts";
import type { Omissions } from "./omissions.ts";

type SpreadVariant = Pick<Variant, "name" | "weight" | "stickiness" | "overrides">;

/** Conditions with their results. A condition that is undefined always holds. */
type Rules = readonly Rule[];
type Rule = readonly [condition: Logic | undefined, result: Logic];

/** The values of a Boolean flag, which a feature without variants becomes. */
export const [on, off] = ["on", "off"];

/** Returns undefined if the default variant is enough. `isBoolean` says that the feature has no variants. */
export function toTargeting(
  feature: ServedFeature,
  { isBoolean }: { isBoolean: boolean },
  omissions: Omissions,
): Logic | undefined {
  const { name, variants, strategies } = feature;
  const featureLogic = () => (isBoolean ? on : ruleLogic(variantRules(name, variants, omissions)));
  if (strategies.length === 0) return isBoolean ? undefined : asObject(featureLogic());
  const rules = activeStrategies(feature).map((strategy) => {
    // Where neither the strategy nor the feature has variants, the flag is on and callers get their own default.
    const own = strategy.variants.length > 0 ? variantRules(name, strategy.variants, omissions) : undefined;
    return [toCondition(strategy), own ? ruleLogic(own) : featureLogic()] as const;
  });
  return asObject(ruleLogic(isBoolean ? [...rules, [undefined, off]] : rules));
}

/** flagd requires an object, so a constant becomes an `if` that always holds. */
function asObject(logic: Logic): Logic | undefined {
  return typeof logic === "object" && logic !== null ? logic : { if: [true, logic] };
}

function ruleLogic(rules: Rules): Logic {
  const end = rules.findIndex(([condition]) => condition === undefined);
  const reached = end < 0 ? rules : rules.slice(0, end + 1);
  const branches = reached.flatMap(([condition, result]) =>
    condition === undefined ? [result] : [condition, result],
  );
  const [only = null, ...more] = branches;
  return more.length > 0 ? { if: branches } : only;
}

function variantRules(feature: string, variants: readonly SpreadVariant[], omissions: Omissions): Rules {
  const overrides = variants.flatMap(({ name, overrides = [] }) =>
    overrides.map(({ contextName, values }): Rule => [{ in: [attribute(contextName), values] }, name]),
  );
  return [...overrides, ...toSpread(feature, variants, omissions)];
}

function toSpread(feature: string, variants: readonly SpreadVariant[], omissions: Omissions): Rules {
  const spread = variants.filter(({ weight }) => weight > 0);
  const [only, ...more] = spread;
  if (!only) return [];
  if (more.length === 0) return [[undefined, only.name]];
  const buckets = spread.map(({ name, weight }) => [name, weight]);
  const stickiness = stickinessOf(
    feature,
    variants,
    "a flag has one: that of the first variant is used",
    omissions,
  );
  if (stickiness === "random") {
    omissions.add("stickiness", "flagd has no random: the targeting key is used", feature);
  }
  if (usesTargetingKey(stickiness)) return [[undefined, { fractional: buckets }]];
  const by = attribute(stickiness);
  // The flag's name makes a user's variants of two flags independent, as flagd's own seed does.
  const seed = { cat: [{ var: "$flagd.flagKey" }, by] };
  // Users without the attribute get the default variant, instead of all landing in one bucket.
  return [[by, { fractional: [seed, ...buckets] }]];
}
