/** Compares two splits of the users among variants: counts who moves, by the buckets of both. */
import { isDeepStrictEqual } from "node:util";
import { limits } from "../../contract/limits.ts";
import type { VariantSplit } from "./move-rules.ts";
import type { Move, Moves, Received } from "./moved-share.ts";

/** What moves between the variants of two splits. */
export interface SplitComparison {
  /** The move by overrides, if these differ. */
  byOverrides: Moves[number] | undefined;
  /** The largest moves, sorted, with their shares of the users whom both splits are for. */
  largest: readonly Move[];
  shareOfOthers: number;
}

const comparisons = new WeakMap<VariantSplit, Map<VariantSplit, SplitComparison>>();

/** Compares each pair of splits once: equal splits are one object, such as that of all strategies without own variants. */
export function compareSplitsOnce(before: VariantSplit, after: VariantSplit): SplitComparison {
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
  // With one piece each remainder has the same counts, so the largest moves are among the largest variants: one more than
  // are listed, because a variant does not move to itself.
  const most = pieces.length > 1 ? undefined : limits.listedMoves + 1;
  // Rows are sparse: with equal sums a bucket has a pair with one other only.
  const counts = new Map<Interval, number[]>();
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
      const row = counts.get(from.interval) ?? [];
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
    counts.get(interval)?.forEach((share, index) => {
      const to = intervalsAfter[index]?.received;
      if (share <= least || to === undefined || from === to) return;
      largest.push({ from, to, share });
      // Sorting now and then costs less than sorting a million moves at the end.
      if (largest.length < 100 * limits.listedMoves) return;
      dropSmaller(largest);
      least = largest.at(-1)?.share ?? 0;
    });
  }
  dropSmaller(largest);
  for (const move of largest) {
    others -= move.share;
    move.share /= all;
  }
  return { largest, shareOfOthers: others / all };
}

/** Cuts the list to the largest moves, sorted, and returns the share of the others. */
export function dropSmaller(moves: Move[]): number {
  moves.sort((left, right) => right.share - left.share);
  return moves.splice(limits.listedMoves).reduce((sum, { share }) => sum + share, 0);
}

/**
 * Cuts the remainders from 0 up to the period into pieces, at each remainder where an interval ends. So all remainders
 * of one piece have the same number of buckets in each interval. Returns the first remainder of each piece, and how many
 * it has.
 */
function piecesOf(period: number, intervals: readonly Interval[]) {
  const ends = new Set([period, ...intervals.map(({ end }) => end % period)]);
  // The remainder 0 begins the first piece, and ends none.
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
  for (;;) {
    const interval = intervalOf(bucket, intervals);
    if (!interval) break;
    const count = Math.ceil((interval.end - bucket) / period);
    found.push({ interval, count });
    bucket += count * period;
  }
  return found.sort((left, right) => right.count - left.count);
}

/** Finds the interval by binary search, because each of 1,000 pieces can look for one among 1,000. */
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
