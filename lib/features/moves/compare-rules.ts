/**
 * Compares the rules before and after a change, and computes the shares of the users who move. SDKs put a user into a
 * bucket by a hash: one for the rollout, and one for the variants. The two are independent, so rollouts and weights alone
 * give the shares.
 */
import { isDeepStrictEqual } from "node:util";
import { limits } from "../../contract/limits.ts";
import { compareSplitsOnce, hashRelation, type SplitComparison } from "./compare-splits.ts";
import { mergeRules } from "./merge-rules.ts";
import type { Move, Moves, SmallerMoves } from "./move-types.ts";
import type { Rule } from "./sdk-rules.ts";

/**
 * Compares the rules in one of two ways:
 *
 *   as one        if one rule gives each user the same as all rules: the shares are of all users
 *   by strategy   otherwise: each strategy by itself, among the users who meet its condition
 *
 * By strategy, the sum of the shares is an upper bound of the share of the environment's users who move. Each of them is
 * counted at least once, for the strategy that decides before or for the one that decides after. For example, the rollout
 * of s1 shrinks, and s2 decides for some of its users from then on: the move of s1 has them.
 */
export function compareRules(before: readonly Rule[], after: readonly Rule[]): Moves {
  const [oneBefore, oneAfter] = [mergeRules(before), mergeRules(after)];
  const moves =
    oneBefore === "unmergeable" || oneAfter === "unmergeable"
      ? compareByStrategy(before, after)
      : compareAsOne(oneBefore, oneAfter);
  // A share that is not known comes before all others.
  return moves.toSorted((left, right) => (right.share ?? 2) - (left.share ?? 2));
}

function compareAsOne(before: Rule | "no rules", after: Rule | "no rules"): Moves {
  if (before !== "no rules") return comparePair(before, after === "no rules" ? forNoUser(before) : after);
  return after === "no rules" ? [] : comparePair(forNoUser(after), after);
}

/** Makes a rule that stands for one that is absent before or after. */
function forNoUser(rule: Rule): Rule {
  return { ...rule, rollout: 0 };
}

function compareByStrategy(before: readonly Rule[], after: readonly Rule[]): Moves {
  // A feature without strategies is on for everyone: how many of these meet the condition of a strategy is not known.
  if ([...before, ...after].some(({ id }) => id === undefined)) return [{ share: null }];
  const reordered = findReordered(before, after);
  return pairById(before, after).flatMap(([one, other]): Moves => {
    const { id: strategy = "" } = one;
    if (reordered.has(strategy)) return [{ strategy, share: null }];
    return comparePair(one, other).map((move) => ({ strategy, ...move }));
  });
}

function pairById(before: readonly Rule[], after: readonly Rule[]): (readonly [Rule, Rule])[] {
  const byId = (rules: readonly Rule[]) => new Map(rules.map((rule) => [rule.id, rule]));
  const [rulesBefore, rulesAfter] = [byId(before), byId(after)];
  return [
    ...before.map((rule) => [rule, rulesAfter.get(rule.id) ?? forNoUser(rule)] as const),
    ...after.filter(({ id }) => !rulesBefore.has(id)).map((rule) => [forNoUser(rule), rule] as const),
  ];
}

/**
 * Finds the strategies that change places, such as a and b if [a, b] becomes [b, a]: a user who matches both may get
 * something else. Leaves out a pair of strategies that split their users in the same way, before and after.
 */
function findReordered(before: readonly Rule[], after: readonly Rule[]): ReadonlySet<string | undefined> {
  const afterById = new Map(after.map((rule, index) => [rule.id, { rule, index }]));
  const reordered = new Set<string | undefined>();
  for (const [index, first] of before.entries()) {
    for (const second of before.slice(index + 1)) {
      const [firstAfter, secondAfter] = [afterById.get(first.id), afterById.get(second.id)];
      if (!firstAfter || !secondAfter || firstAfter.index < secondAfter.index) continue;
      const haveSameSplits = first.split === second.split && firstAfter.rule.split === secondAfter.rule.split;
      if (!haveSameSplits) reordered.add(first.id).add(second.id);
    }
  }
  return reordered;
}

function comparePair(before: Rule, after: Rule): Moves {
  if (before.split === after.split && isDeepStrictEqual(before, after)) return [];
  const isKnown =
    !before.isOpaque &&
    !after.isOpaque &&
    before.condition === after.condition &&
    hashRelation(before.split, after.split) !== "unknown";
  if (!isKnown) return [{ share: null }];
  const comparison = compareSplitsOnce(before.split, after.split);
  const hasOverrides = before.split.overrides.length + after.split.overrides.length > 0;
  // Who matches an override gets its variant, whatever the weights, so that fewer may move between variants. Those who
  // leave or join the rollout move in any case.
  const moves = movesBetweenRules(before, after, comparison).map((move) =>
    hasOverrides && move.from !== null && move.to !== null ? { ...move, atMost: true as const } : move,
  );
  return comparison.byOverrides ? [comparison.byOverrides, ...moves] : moves;
}

/**
 * Returns the moves among the users who meet the condition of both rules, the largest first. Sums those beyond
 * {@link limits.listedMoves}: with another hash any variant can become any other, so 1,000 variants have a million moves.
 */
function movesBetweenRules(
  before: Rule,
  after: Rule,
  { largest, shareOfOthers }: SplitComparison,
): (Move | SmallerMoves)[] {
  const inBoth = shareInBoth(before, after);
  const leaving = splitByWeight(before.rollout - inBoth, before);
  const joining = splitByWeight(after.rollout - inBoth, after);
  const moves: Move[] = [
    ...leaving.map(({ received: from, share }) => ({ from, to: null, share })),
    ...joining.map(({ received: to, share }) => ({ from: null, to, share })),
    ...largest.map((move) => ({ ...move, share: move.share * inBoth })),
  ].sort((left, right) => right.share - left.share);
  const listed = moves.slice(0, limits.listedMoves);
  const smaller = moves.slice(limits.listedMoves);
  const shareOfSmaller = smaller.reduce((sum, { share }) => sum + share, shareOfOthers * inBoth);
  return [...listed, { share: shareOfSmaller }].filter(({ share }) => share > 0);
}

/**
 * Returns the share of the users who are in both rollouts. Rollouts of 25 % and 50 % with the same seed share 25 %,
 * because a rollout keeps its users as it grows. With different seeds they share 12.5 %, because each chooses its users
 * independently.
 */
function shareInBoth(before: Rule, after: Rule): number {
  const isSameSeed = before.rolloutSeed === after.rolloutSeed;
  return isSameSeed ? Math.min(before.rollout, after.rollout) : before.rollout * after.rollout;
}

/** Splits a share of the users among the variants of the rule. */
function splitByWeight(shareOfUsers: number, { split: { weights, total } }: Rule) {
  return weights.map(({ received, weight }) => ({ received, share: (shareOfUsers * weight) / total }));
}
