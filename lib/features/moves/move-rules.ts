/** What decides, for SDKs of Unleash, who gets a feature in an environment, and which of its variants. */
import type { Constraint, Strategy } from "../../contract/strategies.ts";
import type { Variant } from "../../contract/variants.ts";
import type { EnvironmentContent } from "../model.ts";

/** A strategy that can match; of a feature without strategies, that it is for everyone. */
export interface Rule {
  /** Undefined: for everyone, without a strategy. */
  id: string | undefined;
  /** Its constraints as text, the same for those that hold for the same contexts; "" without constraints. */
  condition: string;
  /** Whether only the application knows whom it matches. */
  isCustom: boolean;
  /** The share of those who meet its constraints, from 0 to 1. */
  rollout: number;
  /** What the bucket of the rollout follows from. */
  rolloutSeed: string;
  deal: Deal;
}

/** The variants that its users get. */
export interface Deal {
  /** What the bucket of the variants follows from. */
  seed: string;
  /** In order, each with a weight greater than 0. `true` is the feature without a variant. */
  parts: readonly { got: string | true; weight: number }[];
  total: number;
  overrides: readonly Override[];
}

interface Override {
  contextName: string;
  value: string;
  variant: string;
}

/** In order: the first that matches a user decides. Empty: for no user. */
export function rulesOf(feature: string, { enabled, variants, strategies }: EnvironmentContent): Rule[] {
  if (!enabled) return [];
  const deal = dealOf(feature, variants, { parts: [{ got: true, weight: 1 }], total: 1 });
  if (strategies.length === 0) return [{ ...forEveryone, id: undefined, condition: "", deal }];
  return strategies
    .filter(({ disabled }) => !disabled)
    .map((one) => toRule(one, deal, feature))
    .filter(({ rollout }) => rollout > 0);
}

const forEveryone = { isCustom: false, rollout: 1, rolloutSeed: "" };

function toRule(strategy: Strategy, ofEnvironment: Deal, feature: string): Rule {
  const { id, parameters, constraints, variants } = strategy;
  // SDKs put an absent group id into the text that they hash as "undefined".
  const deal = dealOf(String(parameters.groupId), variants, ofEnvironment);
  return { id, condition: conditionKey(constraints), ...matchingOf(strategy, feature), deal };
}

function matchingOf(
  { name, parameters }: Strategy,
  feature: string,
): Pick<Rule, "isCustom" | "rollout" | "rolloutSeed"> {
  if (name === "default") return forEveryone;
  if (name !== "flexibleRollout") {
    return { isCustom: true, rollout: 1, rolloutSeed: JSON.stringify([name, parameters]) };
  }
  const percent = Math.floor(Number(parameters.rollout));
  return {
    isCustom: false,
    rollout: percent > 0 ? Math.min(percent, 100) / 100 : 0,
    rolloutSeed: JSON.stringify([parameters.groupId || feature, parameters.stickiness || "default"]),
  };
}

/** Without weights SDKs use what is given as `otherwise`. The stickiness of the first variant counts for all. */
function dealOf<Rest extends Partial<Deal>>(
  group: string,
  variants: readonly Pick<Variant, "name" | "weight" | "stickiness" | "overrides">[],
  otherwise: Rest,
): Deal {
  const parts = variants
    .filter(({ weight }) => weight > 0)
    .map(({ name, weight }) => ({ got: name, weight }));
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return { seed: "", parts: [], total, overrides: [], ...otherwise };
  const seed = JSON.stringify([group, variants[0]?.stickiness]);
  return { seed, parts, total, overrides: overridesOf(variants) };
}

/** The first that matches counts. Those of one field exclude each other, so that their order does not matter. */
function overridesOf(variants: readonly Pick<Variant, "name" | "overrides">[]): Override[] {
  const found = new Map<string, Override>();
  for (const { name: variant, overrides = [] } of variants) {
    for (const { contextName, values } of overrides) {
      for (const value of values) {
        const field = JSON.stringify([contextName, value]);
        if (!found.has(field)) found.set(field, { contextName, value, variant });
      }
    }
  }
  const all = [...found.values()];
  const isOfOneField = new Set(all.map(({ contextName }) => contextName)).size < 2;
  return isOfOneField ? all.sort(({ value: left }, { value: right }) => (left < right ? -1 : 1)) : all;
}

/** All constraints have to hold, and one of the values: neither's order matters. */
function conditionKey(constraints: readonly Constraint[]): string {
  return constraints
    .map(({ contextName, operator, values = [], value, inverted = false, caseInsensitive = false }) =>
      JSON.stringify([contextName, operator, [...values].sort(), value, inverted, caseInsensitive]),
    )
    .sort()
    .join();
}
