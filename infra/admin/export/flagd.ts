/** Converts features to flag definitions of flagd: https://flagd.dev/reference/flag-definitions */
import type { Variant } from "../../../lib/contract/variants.ts";
import type { Omissions } from "../unleash/left-out.ts";
import { toValues } from "./flagd-values.ts";
import type { Scope, SelectedFeature } from "./select.ts";

/** JSON Logic: the name of a variant, or an operation that results in one. */
type Rule = string | { [operation: string]: unknown };

export function toFlagd(
  features: readonly SelectedFeature[],
  { environment }: Scope,
  omissions: Omissions,
): object {
  const flags = features.flatMap((feature) => {
    const flag = toFlag(feature, omissions);
    return flag ? [[feature.name, flag] as const] : [];
  });
  return {
    $schema: "https://flagd.dev/schema/v0/flags.json",
    metadata: { environment },
    flags: Object.fromEntries(flags),
  };
}

function toFlag({ name, project, variants }: SelectedFeature, omissions: Omissions): object | undefined {
  const spread = variants.filter(({ weight }) => weight > 0);
  const [first] = spread;
  if (!first) {
    const why = variants.length === 0 ? "without variants" : "all of its variants have weight 0";
    omissions.add("features", why, name);
    return undefined;
  }
  for (const variant of variants) {
    if (variant.weightType === "fix") omissions.add("weightType", "the weight is fixed", name);
  }
  const heaviest = spread.reduce((most, one) => (one.weight > most.weight ? one : most), first);
  const rules = [...toOverrides(name, variants, omissions), ...toSpread(name, variants, spread, omissions)];
  const [only, ...more] = rules;
  const targeting = more.length > 0 ? { if: rules } : only;
  return {
    state: "ENABLED",
    variants: toValues(name, variants, omissions),
    // For users without the attribute that decides the bucket, whom Unleash's SDKs would give a random variant.
    defaultVariant: heaviest.name,
    ...(typeof targeting === "object" && { targeting }),
    metadata: { project },
  };
}

/** Pairs of a condition and its variant. The first that matches wins, as in Unleash's SDKs. */
function toOverrides(feature: string, variants: readonly Variant[], omissions: Omissions): Rule[] {
  return variants.flatMap(({ name, overrides = [] }) => {
    const conditions = overrides.map(({ contextName, values }) => ({
      in: [attribute(contextName, "overrides", feature, omissions), values],
    }));
    const [only, ...more] = conditions;
    if (!only) return [];
    return [more.length > 0 ? { or: conditions } : only, name];
  });
}

/** The last rule, which applies where no override does. */
function toSpread(
  feature: string,
  variants: readonly Variant[],
  spread: readonly Variant[],
  omissions: Omissions,
): Rule[] {
  const [only, ...more] = spread;
  if (only && more.length === 0) return [only.name];
  const buckets = spread.map(({ name, weight }) => [name, weight]);
  const stickiness = stickinessOf(feature, variants, omissions);
  if (stickiness === "default") return [{ fractional: buckets }];
  const by = attribute(stickiness, "stickiness", feature, omissions);
  // The flag's name makes a user's variants of two flags independent, as flagd does for the targeting key.
  const seed = { cat: [{ var: "$flagd.flagKey" }, by] };
  // Without the condition, all users without the attribute would share a bucket.
  return [by, { fractional: [seed, ...buckets] }];
}

/** Unleash's SDKs use the first variant's stickiness for the whole list. */
function stickinessOf(feature: string, variants: readonly Variant[], omissions: Omissions): string {
  const all = new Set(variants.map(({ stickiness }) => stickiness));
  const [first = "default"] = all;
  if (all.size > 1) omissions.add("stickiness", "a flag has one: that of the first variant is used", feature);
  if (first !== "random") return first;
  omissions.add("stickiness", "flagd has no random: the targeting key is used", feature);
  return "default";
}

function attribute(name: string, what: string, feature: string, omissions: Omissions): Rule {
  if (/[.\\]/.test(name)) {
    omissions.add(what, `flagd reads "${name}" as a path into the context`, feature);
  }
  return { var: name };
}
