/** Derives from an environment's content the rules by which SDKs of Unleash decide what a user gets. */
import type { Constraint, Strategy } from "../../contract/strategies.ts";
import { rolloutPercent } from "../../contract/unleash-rules.ts";
import type { Variant } from "../../contract/variants.ts";
import { activeStrategies } from "../active-strategies.ts";

/** A strategy that can match a user. A feature without strategies has one rule, which is for everyone. */
export interface Rule {
  /** The id of the strategy; undefined if the feature has no strategies. */
  id: string | undefined;
  /**
   * From which users the rollout is drawn, as text: those who meet the constraints, and have the field of the stickiness;
   * "" for all users. Equal texts hold for the same users. Different ones may do so too; the share is then not known.
   */
  condition: string;
  /** Whether Burgee cannot compute which users the strategy matches: true unless it is a `default` or `flexibleRollout`. */
  isOpaque: boolean;
  /** The share of those who meet the condition, from 0 to 1. */
  rollout: number;
  /** Two rollouts of the same seed put each user into the same bucket. */
  rolloutSeed: string;
  split: VariantSplit;
}

/** How the users of a rule are split among the variants. */
export interface VariantSplit {
  /** SDKs hash the group and the value of a field of the user. */
  group: string;
  /** The name of this field. `default` is the first that the user has of `userId`, `sessionId` and `remoteAddress`. */
  stickiness: string;
  /** The variants in order, each with a weight greater than 0. `true` is the feature without a variant. */
  weights: readonly { received: string | true; weight: number }[];
  /** The sum of the weights. */
  total: number;
  overrides: readonly Override[];
}

interface Override {
  contextName: string;
  value: string;
  variant: string;
}

/** The aspects from which the rules follow. The page has this file, and cannot have `model.ts`. */
export interface ContentOfRules {
  enabled: boolean;
  variants: readonly Variant[];
  strategies: readonly Strategy[];
}

/** Splits by their text. */
export type KnownSplits = Map<string, VariantSplit>;

/**
 * Returns the rules in order: the first that matches a user decides. If there is none, the feature is off for all
 * users. Equal splits are one object, also in the rules of another content for which `splits` is the same map.
 */
export function rulesOf(
  feature: string,
  { enabled, variants, strategies }: ContentOfRules,
  splits: KnownSplits = new Map(),
): Rule[] {
  if (!enabled) return [];
  const split = splitOf(feature, variants, splitWithoutVariants, splits);
  if (strategies.length === 0) return [{ ...matchingEveryone, id: undefined, condition: "", split }];
  return activeStrategies(strategies)
    .map((strategy) => toRule(strategy, split, feature, splits))
    .filter(({ rollout }) => rollout > 0);
}

const splitWithoutVariants: VariantSplit = {
  group: "",
  stickiness: "",
  weights: [{ received: true, weight: 1 }],
  total: 1,
  overrides: [],
};

const matchingEveryone = { isOpaque: false, rollout: 1, rolloutSeed: "" };

function toRule(
  strategy: Strategy,
  environmentSplit: VariantSplit,
  feature: string,
  splits: KnownSplits,
): Rule {
  const { id, parameters, variants } = strategy;
  // SDKs hash an absent group id as the text "undefined".
  const split = splitOf(String(parameters.groupId), variants, environmentSplit, splits);
  return { id, condition: conditionOf(strategy), ...matchingOf(strategy, feature), split };
}

function matchingOf(
  { id, name, parameters }: Strategy,
  feature: string,
): Pick<Rule, "isOpaque" | "rollout" | "rolloutSeed"> {
  if (name === "default") return matchingEveryone;
  if (name !== "flexibleRollout") {
    return { isOpaque: true, rollout: 1, rolloutSeed: JSON.stringify([name, parameters]) };
  }
  const stickiness = stickinessOf(parameters);
  // SDKs draw a random number for each strategy, so two strategies do not choose the same users.
  const group = stickiness === "random" ? id : parameters.groupId || feature;
  return {
    isOpaque: false,
    rollout: rolloutPercent(parameters.rollout) / 100,
    rolloutSeed: JSON.stringify([group, stickiness]),
  };
}

/**
 * Splits the users as SDKs do: by the stickiness of the first variant, which counts for all of them, and by
 * `ifWeightless` where all weights are 0.
 */
function splitOf(
  group: string,
  variants: readonly Pick<Variant, "name" | "weight" | "stickiness" | "overrides">[],
  ifWeightless: VariantSplit,
  splits: KnownSplits,
): VariantSplit {
  const weights = variants
    .filter(({ weight }) => weight > 0)
    .map(({ name, weight }) => ({ received: name, weight }));
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return ifWeightless;
  const stickiness = variants[0]?.stickiness ?? "default";
  const split = { group, stickiness, weights, total, overrides: overridesOf(variants) };
  const text = JSON.stringify(split);
  const known = splits.get(text) ?? split;
  splits.set(text, known);
  return known;
}

/**
 * Returns each override that can be the first that matches a user. If all have one context name, their order does not
 * matter, because a user matches one at most: then they are sorted.
 */
function overridesOf(variants: readonly Pick<Variant, "name" | "overrides">[]): Override[] {
  const firstByContext = new Map<string, Override>();
  for (const { name: variant, overrides = [] } of variants) {
    for (const { contextName, values } of overrides) {
      for (const value of values) {
        const context = JSON.stringify([contextName, value]);
        if (!firstByContext.has(context)) firstByContext.set(context, { contextName, value, variant });
      }
    }
  }
  const all = [...firstByContext.values()];
  const contextNames = new Set(all.map(({ contextName }) => contextName));
  return contextNames.size > 1 ? all : all.sort((left, right) => (left.value < right.value ? -1 : 1));
}

/** Sorts the constraints, and the values of each, because their order does not matter. */
function conditionOf({ name, parameters, constraints }: Strategy): string {
  const stickiness = name === "flexibleRollout" ? stickinessOf(parameters) : "default";
  // Users without the field of a stickiness are in no rollout by it.
  const required = stickinessesOfEveryUser.has(stickiness) ? [] : [JSON.stringify(stickiness)];
  return [...constraints.map(constraintText), ...required].sort().join();
}

function stickinessOf({ stickiness }: Strategy["parameters"]): string {
  return stickiness || "default";
}

/** A user who has none of the fields of `default` gets a random number. */
const stickinessesOfEveryUser: ReadonlySet<string> = new Set(["default", "random"]);

function constraintText(constraint: Constraint): string {
  const { contextName, operator, values = [], value, inverted = false, caseInsensitive = false } = constraint;
  return JSON.stringify([contextName, operator, [...values].sort(), value, inverted, caseInsensitive]);
}
