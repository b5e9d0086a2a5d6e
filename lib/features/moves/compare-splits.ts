/**
 * Compares two splits of the users among variants: counts who moves, by the buckets of both.
 *
 * A user's bucket is a hash modulo the sum of the weights. Two buckets of one hash have the same remainder modulo the
 * period, the greatest common divisor of both sums. Among the users of one remainder the two buckets are independent.
 * For example:
 *
 *   sums 1000 and 1000   period 1000: bucket 250 stays bucket 250
 *   sums 1000 and 900    period 100: bucket 250 becomes 50, 150, 250, ... or 850, each with the same chance
 *   another hash         as with period 1: any bucket can become any other
 *
 * So each user has one pair of a bucket before and a bucket after, each pair with the same chance.
 */
import { isDeepStrictEqual } from "node:util";
import { limits } from "../../contract/limits.ts";
import type { Move, Moves, Received } from "./move-types.ts";
import type { VariantSplit } from "./sdk-rules.ts";

/** What moves between the variants of two splits. The shares are of the users whom both splits are for. */
export interface SplitComparison {
  /** The move by overrides, if these differ. */
  byOverrides: Moves[number] | undefined;
  /** The largest moves, sorted. */
  largest: readonly Move[];
  /** The share of all other moves, together. */
  shareOfOthers: number;
}

/** Weak in both splits: that of a feature without variants is never gone. */
const comparisons = new WeakMap<VariantSplit, WeakMap<VariantSplit, SplitComparison>>();

/** Compares each pair of splits once: equal splits are one object, such as that of all strategies without own variants. */
export function compareSplitsOnce(before: VariantSplit, after: VariantSplit): SplitComparison {
  const known = comparisons.get(before) ?? new WeakMap<VariantSplit, SplitComparison>();
  const comparison = known.get(after) ?? compareSplits(before, after);
  comparisons.set(before, known.set(after, comparison));
  return comparison;
}

/** How the hash of a user before is related to the hash after: the same, independent of it, or not known. */
export function hashRelation(before: VariantSplit, after: VariantSplit): "same" | "independent" | "unknown" {
  if (before.group !== after.group) return "independent";
  if (before.stickiness === after.stickiness) return "same";
  const stickinesses = [before.stickiness, after.stickiness];
  const mayBeSame = stickinesses.includes("default") && stickinesses.some((one) => fieldsOfDefault.has(one));
  // A single variant is given to all users, whatever their hash.
  const isUsed = before.weights.length > 1 && after.weights.length > 1;
  return mayBeSame && isUsed ? "unknown" : "independent";
}

const fieldsOfDefault: ReadonlySet<string> = new Set(["userId", "sessionId", "remoteAddress"]);

function compareSplits(before: VariantSplit, after: VariantSplit): SplitComparison {
  const isSame = isDeepStrictEqual(before.overrides, after.overrides);
  return {
    byOverrides: isSame ? undefined : moveByOverrides(before.overrides, after.overrides),
    ...movesBetweenVariants(before, after),
  };
}

function movesBetweenVariants(before: VariantSplit, after: VariantSplit) {
  const counts = countPairs(before, after);
  const largest = largestMoves(counts);
  const listed = largest.reduce((sum, { pairs }) => sum + pairs, 0);
  return {
    largest: largest.map(({ from, to, pairs }): Move => ({ from, to, share: pairs / counts.all })),
    shareOfOthers: (counts.moving - listed) / counts.all,
  };
}

/**
 * The numbers of pairs of buckets. These are whole numbers, so that moves of the same size are equal, and stay in the order
 * of the variants. Shares are rounded.
 */
interface PairCounts {
  all: number;
  /** The pairs whose buckets are of different variants. */
  moving: number;
  /** The intervals with the buckets of each variant. */
  before: readonly Interval[];
  after: readonly Interval[];
  /**
   * Has a row for each interval before, and in it the pairs with each interval after. Rows are sparse: with equal sums a
   * bucket has a pair with one other only.
   */
  byIntervals: ReadonlyMap<Interval, readonly number[]>;
}

function countPairs(splitBefore: VariantSplit, splitAfter: VariantSplit): PairCounts {
  const isSameHash = hashRelation(splitBefore, splitAfter) === "same";
  const period = isSameHash ? greatestCommonDivisor(splitBefore.total, splitAfter.total) : 1;
  const [before, after] = [toIntervals(splitBefore), toIntervals(splitAfter)];
  const ranges = rangesOf(period, [...before, ...after]);
  // With one range, every remainder has the same counts. Then the largest moves are between the largest variants. One more
  // variant than there are moves in the list is enough: a variant does not move to itself.
  const mostVariants = ranges.length > 1 ? undefined : limits.listedMoves + 1;
  const byIntervals = new Map<Interval, number[]>();
  const all = (splitBefore.total * splitAfter.total) / period;
  let moving = all;
  for (const { first, length } of ranges) {
    const inRange = {
      length,
      before: countBuckets(before, first, period),
      after: countBuckets(after, first, period),
    };
    moving -= countStaying(inRange);
    addPairs(byIntervals, inRange, mostVariants);
  }
  return { all, moving, before, after, byIntervals };
}

/** The buckets of each remainder in a range. */
interface BucketsInRange {
  /** The number of remainders. */
  length: number;
  before: readonly CountedInterval[];
  after: readonly CountedInterval[];
}

/** Counts the pairs whose buckets are of one variant. */
function countStaying({ length, before, after }: BucketsInRange): number {
  const countAfter = new Map(after.map(({ interval, count }) => [interval.received, count]));
  let pairs = 0;
  for (const { interval, count } of before) {
    pairs += length * count * (countAfter.get(interval.received) ?? 0);
  }
  return pairs;
}

/** Adds the pairs of each two intervals. Only the `mostVariants` intervals with the most buckets count, on each side. */
function addPairs(
  byIntervals: Map<Interval, number[]>,
  { length, before, after }: BucketsInRange,
  mostVariants: number | undefined,
): void {
  const toVariants = after.slice(0, mostVariants);
  for (const from of before.slice(0, mostVariants)) {
    const row = byIntervals.get(from.interval) ?? [];
    byIntervals.set(from.interval, row);
    for (const { interval, count } of toVariants) {
      row[interval.index] = (row[interval.index] ?? 0) + length * from.count * count;
    }
  }
}

interface CountedMove extends Pick<Move, "from" | "to"> {
  pairs: number;
}

function largestMoves({ before, after, byIntervals }: PairCounts): CountedMove[] {
  let largest: CountedMove[] = [];
  let least = 0;
  for (const interval of before) {
    const { received: from } = interval;
    // `forEach` skips the places of a sparse row that have no pairs.
    byIntervals.get(interval)?.forEach((pairs, index) => {
      const to = after[index]?.received;
      if (pairs <= least || to === undefined || from === to) return;
      largest.push({ from, to, pairs });
      // Sorting now and then costs less than sorting a million moves at the end.
      if (largest.length < 100 * limits.listedMoves) return;
      largest = takeLargest(largest);
      least = largest.at(-1)?.pairs ?? 0;
    });
  }
  return takeLargest(largest);
}

function takeLargest(moves: readonly CountedMove[]): CountedMove[] {
  return moves.toSorted((left, right) => right.pairs - left.pairs).slice(0, limits.listedMoves);
}

/**
 * Divides the remainders from 0 up to the period into ranges, at each remainder where an interval ends. So all remainders
 * of one range have the same number of buckets in each interval.
 */
function rangesOf(period: number, intervals: readonly Interval[]): { first: number; length: number }[] {
  const ends = new Set([period, ...intervals.map(({ end }) => end % period)]);
  // The remainder 0 begins the first range, and ends none.
  ends.delete(0);
  let first = 0;
  return [...ends]
    .sort((left, right) => left - right)
    .map((end) => {
      const range = { first, length: end - first };
      first = end;
      return range;
    });
}

/** The buckets of a variant: from the end of the interval before it up to, but without, its own. */
interface Interval {
  received: Received;
  index: number;
  end: number;
}

function toIntervals({ weights }: VariantSplit): Interval[] {
  let end = 0;
  return weights.map(({ received, weight }, index) => {
    end += weight;
    return { received, index, end };
  });
}

interface CountedInterval {
  interval: Interval;
  count: number;
}

/** Counts the buckets of this remainder in each interval, the most first. Leaves out intervals without one. */
function countBuckets(intervals: readonly Interval[], remainder: number, period: number): CountedInterval[] {
  const found: CountedInterval[] = [];
  let bucket = remainder;
  for (;;) {
    const interval = intervalOf(bucket, intervals);
    if (!interval) break;
    const count = Math.ceil((interval.end - bucket) / period);
    found.push({ interval, count });
    bucket += count * period;
  }
  return found.sort((left, right) => right.count - left.count);
}

/** Finds the interval by binary search, because each of 1,000 ranges can look for one among 1,000. */
function intervalOf(bucket: number, intervals: readonly Interval[]): Interval | undefined {
  let first = 0;
  let end = intervals.length;
  while (first < end) {
    const middle = (first + end) >> 1;
    if ((intervals[middle]?.end ?? 0) > bucket) end = middle;
    else first = middle + 1;
  }
  return intervals[first];
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

type Overrides = VariantSplit["overrides"];

function subtract(overrides: Overrides, others: Overrides): Overrides {
  const known = new Set(others.map((override) => JSON.stringify(override)));
  return overrides.filter((override) => !known.has(JSON.stringify(override)));
}
