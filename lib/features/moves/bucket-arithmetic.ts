/**
 * Computes the shares of users to whom one rule gives something else than another. SDKs put a user into a bucket by a
 * hash: one for the rollout, and one for the variants.
 */
import { limits } from "../../contract/limits.ts";
import type { Rule, VariantSplit } from "./move-rules.ts";

/** What a user gets: a variant, the feature without a variant (`true`), or not the feature (`null`). */
export type Received = string | true | null;

/** Moves whose share is not known come first, then the largest. */
export type Moves = readonly (Move | UnknownMove | SmallerMoves)[];

export interface Move {
  from: Received;
  to: Received;
  /** The share of the users, or of those who meet the constraints of the strategy. Not rounded. */
  share: number;
  /** Whether fewer users may move. */
  atMost?: true;
  strategy?: string;
}

/** The moves that are not among the largest, together. */
export interface SmallerMoves extends Pick<Move, "share" | "atMost" | "strategy"> {
  from?: never;
  to?: never;
}

/** A move whose share is not known. Perhaps no user moves. */
interface UnknownMove {
  share: null;
  strategy?: string;
  /** The variants whose overrides differ. */
  overrides?: string[];
}

/** Because of rounding, a share that is 0 can be computed as a number up to this one. */
const roundingError = 1e-12;

/**
 * Returns the moves among the users who meet the constraints of both rules, the largest first. Sums those beyond
 * {@link limits.listedMoves}: with another seed any variant can become any other, so 1,000 variants have a million moves.
 */
export function movesBetweenRules(before: Rule, after: Rule): (Move | SmallerMoves)[] {
  const inBoth = shareInBoth(before, after);
  const leaving = splitShare(before, before.rollout - inBoth);
  const joining = splitShare(after, after.rollout - inBoth);
  const moves: Move[] = [
    ...leaving.map(({ received: from, share }) => ({ from, to: null, share })),
    ...joining.map(({ received: to, share }) => ({ from: null, to, share })),
  ];
  let shareOfSmaller = 0;
  for (const { from, to, share } of movesWithinSplit(before.split, after.split)) {
    moves.push({ from, to, share: share * inBoth });
    // Sorting now and then costs less than sorting a million moves at the end.
    if (moves.length > 100 * limits.listedMoves) shareOfSmaller += dropSmaller(moves);
  }
  shareOfSmaller += dropSmaller(moves);
  return [...moves, { share: shareOfSmaller }].filter(({ share }) => share > roundingError);
}

/** Leaves the largest moves, sorted, and returns the share of the others. */
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

/** Yields the moves between the variants of the splits, each with its share of all users. */
function* movesWithinSplit(before: VariantSplit, after: VariantSplit) {
  const shares = sharesOfPairs(before, after);
  let pair = 0;
  for (const { received: from } of before.shares)
    for (const { received: to } of after.shares) {
      const share = shares[pair++] ?? 0;
      if (share > 0) yield { from, to, share };
    }
}

/**
 * Computes the shares of the users who get one variant before and another after it, by pair: that of the variants `from`
 * and `to` is at `from * after.shares.length + to`.
 *
 * A user's bucket is a hash modulo the sum of the weights. Two buckets of one hash have the same remainder modulo the
 * period, the greatest common divisor of both sums. Among the users of one remainder the two buckets are independent.
 * For example:
 *
 *   sums 1000 and 1000   period 1000: bucket 250 stays bucket 250
 *   sums 1000 and 900    period 100: bucket 250 becomes 50, 150, 250, ... or 850, each with the same chance
 *   another seed         another hash, so as with period 1: any bucket can become any other
 */
function sharesOfPairs(before: VariantSplit, after: VariantSplit): Float64Array {
  const shares = new Float64Array(before.shares.length * after.shares.length);
  const period = before.seed === after.seed ? greatestCommonDivisor(before.total, after.total) : 1;
  const [intervalsBefore, intervalsAfter] = [toIntervals(before), toIntervals(after)];
  for (const { remainder, share } of piecesOf(period, [...intervalsBefore, ...intervalsAfter])) {
    const sharesAfter = sharesAmong(intervalsAfter, after.total, { remainder, period });
    for (const from of sharesAmong(intervalsBefore, before.total, { remainder, period })) {
      const first = from.interval.index * after.shares.length;
      for (const to of sharesAfter) {
        if (from.interval.received === to.interval.received) continue;
        const pair = first + to.interval.index;
        shares[pair] = (shares[pair] ?? 0) + share * from.share * to.share;
      }
    }
  }
  return shares;
}

/**
 * Cuts the remainders from 0 up to the period into pieces, at each remainder where an interval ends. So all remainders
 * of one piece have the same number of buckets in an interval. Yields the first remainder of each piece, and the share
 * of the users whose remainder is in the piece.
 */
function* piecesOf(period: number, intervals: readonly Interval[]) {
  const ends = new Set([period, ...intervals.map(({ end }) => end % period)]);
  // The end of all buckets has the remainder 0, where no piece ends.
  ends.delete(0);
  let remainder = 0;
  for (const end of [...ends].sort((left, right) => left - right)) {
    yield { remainder, share: (end - remainder) / period };
    remainder = end;
  }
}

/** The buckets of a variant: from `start` up to, but without, `end`. */
interface Interval {
  received: string | true;
  index: number;
  start: number;
  end: number;
}

function toIntervals({ shares }: VariantSplit): Interval[] {
  let end = 0;
  return shares.map(({ received, weight }, index) => {
    const start = end;
    end += weight;
    return { received, index, start, end };
  });
}

/** Finds the intervals that have buckets of this remainder, each with its share of these buckets. */
function sharesAmong(
  intervals: readonly Interval[],
  total: number,
  { remainder, period }: { remainder: number; period: number },
) {
  const bucketsBelow = (bound: number) => Math.ceil((bound - remainder) / period);
  const bucketsPerRemainder = total / period;
  const found: { interval: Interval; share: number }[] = [];
  for (const interval of intervals) {
    const buckets = bucketsBelow(interval.end) - bucketsBelow(interval.start);
    if (buckets > 0) found.push({ interval, share: buckets / bucketsPerRemainder });
  }
  return found;
}

function greatestCommonDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestCommonDivisor(right, left % right);
}
