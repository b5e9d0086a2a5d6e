/** Computes what users get after a draft, by the rules by which the API computes who moves. */
import { mergeRules } from "../../../../lib/features/moves/merge-rules.ts";
import type { Received } from "../../../../lib/features/moves/move-types.ts";
import { rulesOf } from "../../../../lib/features/moves/sdk-rules.ts";
import type { ShownEnvironment, Variants } from "../requests/shown.ts";
import { strategyList } from "../strategy-list.ts";

export type SharesAfter = readonly (readonly [Received, number])[];

/**
 * Returns what users get after the draft, with their shares: first the variants in their order, then null for those who do
 * not get the feature. The users are all, or with `strategy` those whom this one can match. Returns undefined where no
 * shares of all users can be computed.
 */
export function sharesAfter(
  feature: string,
  { enabled, variants, strategies }: ShownEnvironment,
  strategy: string | undefined,
): SharesAfter | undefined {
  const rules = rulesOf(feature, {
    enabled,
    variants: listOfVariants(variants),
    strategies: strategyList(strategies).map((one) => ({ ...one, variants: listOfVariants(one.variants) })),
  });
  const rule = strategy === undefined ? mergeRules(rules) : rules.find(({ id }) => id === strategy);
  if (rule === "unmergeable") return undefined;
  if (rule === undefined || rule === "no rules") return [[null, 1]];
  const { rollout, split } = rule;
  const shares = split.weights.map(
    ({ received, weight }) => [received, (rollout * weight) / split.total] as const,
  );
  return [...shares, [null, 1 - rollout]];
}

function listOfVariants(variants: Variants) {
  return Object.entries(variants).map(([name, one]) => ({ ...one, name }));
}
