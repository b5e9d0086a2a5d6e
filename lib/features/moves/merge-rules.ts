/** Merges rules into one, if one gives each user the same as all of them. */
import type { Rule } from "./sdk-rules.ts";

/**
 * Returns the largest rollout without a condition, if every other rule has its split and chooses its users among those of
 * this one: [25 %, 50 %] of one seed gives 50 %. Otherwise returns "unmergeable", although in some cases one rule would do:
 * of [100 % with one split, 100 % with another] the first decides alone.
 */
export function mergeRules(rules: readonly Rule[]): Rule | "no rules" | "unmergeable" {
  if (rules.length === 0) return "no rules";
  const [largest] = rules
    .filter(({ condition, isOpaque }) => condition === "" && !isOpaque)
    .sort((left, right) => right.rollout - left.rollout);
  if (!largest) return "unmergeable";
  const { rollout, rolloutSeed, split } = largest;
  const isWithinLargest = (rule: Rule) =>
    rule.split === split && (rollout === 1 || (rule.rolloutSeed === rolloutSeed && rule.rollout <= rollout));
  return rules.every(isWithinLargest) ? largest : "unmergeable";
}
