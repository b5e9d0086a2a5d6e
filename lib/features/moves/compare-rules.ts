/**
 * Compares the rules before and after a change. A user's bucket for the rollout and the bucket for the variants are
 * independent, so rollouts and weights alone give the shares of users who move.
 */
import { isDeepStrictEqual } from "node:util";
import { type Moves, movesBetweenRules } from "./bucket-arithmetic.ts";
import type { Rule } from "./move-rules.ts";

/**
 * Compares the rules in one of two ways:
 *
 *   as one        if one rule gives each user the same as all rules: the shares are of all users
 *   by strategy   otherwise: each strategy by itself, among the users who meet its constraints
 *
 * By strategy, the sum of the shares is an upper bound of the share of the environment's users, because each user who
 * moves is in a move of a strategy that decides for this user before or after. For example, the rollout of s1 shrinks,
 * and s2 decides for some users of s1: these are in the move of s1.
 */
export function compareRules(before: readonly Rule[], after: readonly Rule[]): Moves {
  const [mergedBefore, mergedAfter] = [mergeRules(before), mergeRules(after)];
  const moves =
    mergedBefore && mergedAfter ? compareAsOne(mergedBefore, mergedAfter) : compareByStrategy(before, after);
  // A share that is not known comes before all others.
  return moves.toSorted((left, right) => (right.share ?? 2) - (left.share ?? 2));
}

/**
 * Returns the rule that gives each user the same as all rules, or no rule if there is none; undefined if it takes several
 * rules, or if not all users meet the constraints. If all rules have one seed and one split, it is the one with the
 * largest rollout: [25 %, 50 %] gives [50 %].
 */
function mergeRules(rules: readonly Rule[]): readonly Rule[] | undefined {
  // Of two rollouts of the same size, one without constraints has the users of both.
  const [largest, ...others] = rules.toSorted(
    (left, right) => right.rollout - left.rollout || left.condition.length - right.condition.length,
  );
  if (!largest) return [];
  const bucketsOf = ({ rolloutSeed, split }: Rule) => JSON.stringify([rolloutSeed, split]);
  const isForAll = largest.condition === "" && !largest.isOpaque;
  return isForAll && others.every((rule) => bucketsOf(rule) === bucketsOf(largest)) ? [largest] : undefined;
}

/** Compares two rules, of which one may be absent. Their ids do not matter. */
function compareAsOne(before: readonly Rule[], after: readonly Rule[]): Moves {
  return pairRules(before, after, () => "").flatMap(([one, other]) => comparePair(one, other));
}

function compareByStrategy(before: readonly Rule[], after: readonly Rule[]): Moves {
  // A feature without strategies is on for everyone: how many of these meet the constraints of a strategy is not known.
  if ([...before, ...after].some(({ id }) => id === undefined)) return [{ share: null }];
  const reordered = findReordered(before, after);
  return pairRules(before, after, ({ id }) => id).flatMap(([one, other]): Moves => {
    const { id: strategy = "" } = one;
    if (reordered.has(strategy)) return [{ strategy, share: null }];
    return comparePair(one, other).map((move) => ({ strategy, ...move }));
  });
}

/** Pairs the rules of one id. A rule that is absent before or after is paired with itself, with a rollout of 0. */
function pairRules(
  before: readonly Rule[],
  after: readonly Rule[],
  idOf: (rule: Rule) => string | undefined,
): (readonly [Rule, Rule])[] {
  const toEntries = (rules: readonly Rule[]) => rules.map((rule) => [idOf(rule), rule] as const);
  const [rulesBefore, rulesAfter] = [new Map(toEntries(before)), new Map(toEntries(after))];
  const absent = (rule: Rule) => ({ ...rule, rollout: 0 });
  return [
    ...before.map((rule) => [rule, rulesAfter.get(idOf(rule)) ?? absent(rule)] as const),
    ...after.filter((rule) => !rulesBefore.has(idOf(rule))).map((rule) => [absent(rule), rule] as const),
  ];
}

/**
 * Finds the strategies that change places, such as a and b if [a, b] becomes [b, a]: a user who matches both may get
 * something else. Leaves out a pair of strategies that split their users in the same way, before and after.
 */
function findReordered(before: readonly Rule[], after: readonly Rule[]): ReadonlySet<string | undefined> {
  const places = new Map(after.map((rule, index) => [rule.id, { rule, index }]));
  const reordered = new Set<string | undefined>();
  for (const [index, first] of before.entries()) {
    for (const second of before.slice(index + 1)) {
      const [firstAfter, secondAfter] = [places.get(first.id), places.get(second.id)];
      if (!firstAfter || !secondAfter || firstAfter.index < secondAfter.index) continue;
      const isSame =
        isDeepStrictEqual(first.split, second.split) &&
        isDeepStrictEqual(firstAfter.rule.split, secondAfter.rule.split);
      if (!isSame) reordered.add(first.id).add(second.id);
    }
  }
  return reordered;
}

function comparePair(before: Rule, after: Rule): Moves {
  if (isDeepStrictEqual(before, after)) return [];
  const isKnown = !before.isOpaque && !after.isOpaque && before.condition === after.condition;
  if (!isKnown) return [{ share: null }];
  const { overrides } = before.split;
  const moves = movesBetweenRules(before, after);
  if (!isDeepStrictEqual(overrides, after.split.overrides)) {
    return [moveByOverrides(overrides, after.split.overrides), ...moves];
  }
  // Users who match an override keep its variant, and it is not known how many they are.
  return overrides.length === 0
    ? moves
    : moves.map((move) => (move.from === null || move.to === null ? move : { ...move, atMost: true }));
}

/** It is not known how many users match an override. */
function moveByOverrides(before: Overrides, after: Overrides): Moves[number] {
  const differing = [...subtract(before, after), ...subtract(after, before)];
  // If no override differs, their order does.
  const named = differing.length > 0 ? differing : after;
  return { overrides: [...new Set(named.map(({ variant }) => variant))], share: null };
}

type Overrides = Rule["split"]["overrides"];

function subtract(overrides: Overrides, others: Overrides): Overrides {
  const known = new Set(others.map((override) => JSON.stringify(override)));
  return overrides.filter((override) => !known.has(JSON.stringify(override)));
}
