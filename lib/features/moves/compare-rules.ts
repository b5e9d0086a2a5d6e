/**
 * Compares the rules before and after a change, and computes the shares of the users who move. SDKs put a user into a
 * bucket by a hash: one for the rollout, and one for the variants. The two are independent, so rollouts and weights alone
 * give the shares.
 */
import { isDeepStrictEqual } from "node:util";
import { limits } from "../../contract/limits.ts";
import type { Rule, VariantSplit } from "./move-rules.ts";
import type { Move, Moves, Received, SmallerMoves } from "./moved-share.ts";

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
 * rules, or if not all users meet the constraints. If all rules have one split, it is the one with the largest rollout, where
 * that is of all users or all rules have one seed: [25 %, 50 %] gives [50 %].
 */
function mergeRules(rules: readonly Rule[]): readonly Rule[] | undefined {
  // Of two rollouts of the same size, one without constraints has the users of both.
  const [largest, ...others] = rules.toSorted(
    (left, right) => right.rollout - left.rollout || left.condition.length - right.condition.length,
  );
  if (!largest) return [];
  const { condition, isOpaque, rollout, rolloutSeed, split } = largest;
  const isForAll = condition === "" && !isOpaque;
  const hasNoOthers = (rule: Rule) =>
    rule.split === split && (rollout === 1 || rule.rolloutSeed === rolloutSeed);
  return isForAll && others.every(hasNoOthers) ? [largest] : undefined;
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
      const isSame = first.split === second.split && firstAfter.rule.split === secondAfter.rule.split;
      if (!isSame) reordered.add(first.id).add(second.id);
    }
  }
  return reordered;
}

function comparePair(before: Rule, after: Rule): Moves {
  if (before.split === after.split && isDeepStrictEqual(before, after)) return [];
  const isKnown = !before.isOpaque && !after.isOpaque && before.condition === after.condition;
  if (!isKnown) return [{ share: null }];
  const comparison = compareSplitsOnce(before.split, after.split);
  const moves = movesBetweenRules(before, after, comparison);
  if (comparison.byOverrides) return [comparison.byOverrides, ...moves];
  // Users who match an override keep its variant, so that fewer may move between variants. Those who leave or join the
  // rollout move in any case.
  return before.split.overrides.length === 0
    ? moves
    : moves.map((move) => (move.from === null || move.to === null ? move : { ...move, atMost: true }));
}

/** Because of rounding, a share that is 0 can be computed as a number up to this one. */
const roundingError = 1e-12;

/**
 * Returns the moves among the users who meet the constraints of both rules, the largest first. Sums those beyond
 * {@link limits.listedMoves}: with another seed any variant can become any other, so 1,000 variants have a million moves.
 */
function movesBetweenRules(
  before: Rule,
  after: Rule,
  { largest, shareOfOthers }: SplitComparison,
): (Move | SmallerMoves)[] {
  const inBoth = shareInBoth(before, after);
  const leaving = splitShare(before, before.rollout - inBoth);
  const joining = splitShare(after, after.rollout - inBoth);
  const moves: Move[] = [
    ...leaving.map(({ received: from, share }) => ({ from, to: null, share })),
    ...joining.map(({ received: to, share }) => ({ from: null, to, share })),
    ...largest.map((move) => ({ ...move, share: move.share * inBoth })),
  ];
  const share = dropSmaller(moves) + shareOfOthers * inBoth;
  return [...moves, { share }].filter(({ share }) => share > roundingError);
}

/** Cuts the list to the largest moves, sorted, and returns the share of the others. */
function dropSmaller(moves: Move[]): number {
  moves.sort((left, right) => right.share - left.share);
  return moves.splice(limits.listedMoves).reduce((sum, { share }) => sum + share, 0);
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

/** Splits a share of the users among the variants by their weights. */
function splitShare({ split: { shares, total } }: Rule, share: number) {
  return shares.map(({ received, weight }) => ({ received, share: (share * weight) / total }));
}

/** What moves between the variants of two splits. */
interface SplitComparison {
  /** The move by overrides, if these differ. */
  byOverrides: Moves[number] | undefined;
  /** The largest moves, sorted, with their shares of the users whom both splits are for. */
  largest: readonly Move[];
  shareOfOthers: number;
}

const comparisons = new WeakMap<VariantSplit, Map<VariantSplit, SplitComparison>>();

/** Compares two splits once for all strategies that have no variants of their own: these share one. */
function compareSplitsOnce(before: VariantSplit, after: VariantSplit): SplitComparison {
  const known = comparisons.get(before) ?? new Map<VariantSplit, SplitComparison>();
  const comparison = known.get(after) ?? compareSplits(before, after);
  comparisons.set(before, known.set(after, comparison));
  return comparison;
}

function compareSplits(before: VariantSplit, after: VariantSplit): SplitComparison {
  const isSame = isDeepStrictEqual(before.overrides, after.overrides);
  return {
    byOverrides: isSame ? undefined : moveByOverrides(before.overrides, after.overrides),
    ...movesBetweenVariants(before, after),
  };
}

/**
 * Counts pairs of a bucket before and one after, by their variants. A user has one of `all` pairs, each with the same
 * chance. Until the end `share` is such a count: counts are exact, so that moves of the same share stay in the order of the
 * variants.
 *
 * A user's bucket is a hash modulo the sum of the weights. Two buckets of one hash have the same remainder modulo the
 * period, the greatest common divisor of both sums. Among the users of one remainder the two buckets are independent.
 * For example:
 *
 *   sums 1000 and 1000   period 1000: bucket 250 stays bucket 250
 *   sums 1000 and 900    period 100: bucket 250 becomes 50, 150, 250, ... or 850, each with the same chance
 *   another seed         another hash, so as with period 1: any bucket can become any other
 */
function movesBetweenVariants(before: VariantSplit, after: VariantSplit) {
  const period = before.seed === after.seed ? greatestCommonDivisor(before.total, after.total) : 1;
  const [intervalsBefore, intervalsAfter] = [toIntervals(before), toIntervals(after)];
  const pieces = piecesOf(period, [...intervalsBefore, ...intervalsAfter]);
  // If the buckets are independent, the largest moves are among the largest variants, one more than are listed: a variant
  // does not move to itself.
  const most = pieces.length > 1 ? undefined : limits.listedMoves + 1;
  const counts = new Map<Interval, Float64Array>();
  const all = (before.total * after.total) / period;
  let others = all;
  for (const [remainder, length] of pieces) {
    const countsBefore = countBuckets(intervalsBefore, remainder, period);
    const countsAfter = countBuckets(intervalsAfter, remainder, period);
    const countsByVariant = new Map(countsAfter.map(({ interval, count }) => [interval.received, count]));
    for (const { interval, count } of countsBefore) {
      others -= length * count * (countsByVariant.get(interval.received) ?? 0);
    }
    const toVariants = countsAfter.slice(0, most);
    for (const from of countsBefore.slice(0, most)) {
      const row = counts.get(from.interval) ?? new Float64Array(intervalsAfter.length);
      counts.set(from.interval, row);
      for (const { interval, count } of toVariants) {
        row[interval.index] = (row[interval.index] ?? 0) + length * from.count * count;
      }
    }
  }
  const largest: Move[] = [];
  let least = 0;
  for (const interval of intervalsBefore) {
    const { received: from } = interval;
    for (const [index, share] of counts.get(interval)?.entries() ?? []) {
      const to = intervalsAfter[index]?.received;
      if (share <= least || to === undefined || from === to) continue;
      largest.push({ from, to, share });
      // Sorting now and then costs less than sorting a million moves at the end.
      if (largest.length < 100 * limits.listedMoves) continue;
      dropSmaller(largest);
      least = largest.at(-1)?.share ?? 0;
    }
  }
  dropSmaller(largest);
  for (const { share } of largest) others -= share;
  return {
    largest: largest.map((move) => ({ ...move, share: move.share / all })),
    shareOfOthers: others / all,
  };
}

/**
 * Cuts the remainders from 0 up to the period into pieces, at each remainder where an interval ends. So all remainders
 * of one piece have the same number of buckets in each interval. Returns the first remainder of each piece, and how many
 * it has.
 */
function piecesOf(period: number, intervals: readonly Interval[]) {
  const ends = new Set([period, ...intervals.map(({ end }) => end % period)]);
  // The end of all buckets has the remainder 0, where no piece ends.
  ends.delete(0);
  let remainder = 0;
  return [...ends]
    .sort((left, right) => left - right)
    .map((end) => {
      const piece = [remainder, end - remainder] as const;
      remainder = end;
      return piece;
    });
}

/** The buckets of a variant: from the end of the interval before it up to, but without, its own. */
interface Interval {
  received: Received;
  index: number;
  end: number;
}

function toIntervals({ shares }: VariantSplit): Interval[] {
  let end = 0;
  return shares.map(({ received, weight }, index) => {
    end += weight;
    return { received, index, end };
  });
}

/** Counts the buckets of this remainder in each interval, the most first. Leaves out intervals without one. */
function countBuckets(intervals: readonly Interval[], remainder: number, period: number) {
  const found: { interval: Interval; count: number }[] = [];
  let bucket = remainder;
  for (const interval of intervals) {
    if (interval.end <= bucket) continue;
    const count = Math.ceil((interval.end - bucket) / period);
    found.push({ interval, count });
    bucket += count * period;
  }
  return found.sort((left, right) => right.count - left.count);
}

function greatestCommonDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestCommonDivisor(right, left % right);
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
