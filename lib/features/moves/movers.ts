/** Computes the shares of users that two rules give something else, from the buckets that both put a user into. */
import type { Deal, Rule } from "./move-rules.ts";

/** What a user gets: a variant, the feature without a variant (`true`), or not the feature (`null`). */
export type Got = string | true | null;

export interface Move {
  from: Got;
  to: Got;
  /** The share of the users, or of those who meet the constraints of the strategy. Not rounded. */
  share: number;
  strategy?: string;
}

/** The moves of the users who meet the constraints of both. Undefined: it gives nothing. */
export function moversOf(had: Rule | undefined, has: Rule | undefined): Move[] {
  const [rollout, newRollout] = [had?.rollout ?? 0, has?.rollout ?? 0];
  // A rollout that grows keeps its users. One with another seed chooses them anew.
  const inBoth = had?.rolloutSeed === has?.rolloutSeed ? Math.min(rollout, newRollout) : rollout * newRollout;
  const left = had?.deal.parts.map(({ got, weight }) => ({
    from: got,
    to: null,
    share: ((rollout - inBoth) * weight) / had.deal.total,
  }));
  const joined = has?.deal.parts.map(({ got, weight }) => ({
    from: null,
    to: got,
    share: ((newRollout - inBoth) * weight) / has.deal.total,
  }));
  const stayed = had && has && inBoth > 0 ? redealt(had.deal, has.deal) : [];
  return [
    ...(left ?? []),
    ...(joined ?? []),
    ...stayed.map(({ share, ...move }) => ({ ...move, share: share * inBoth })),
  ].filter(({ share }) => share > 1e-12);
}

/**
 * The bucket is the hash modulo the sum of the weights. Of one hash, two buckets agree modulo the greatest common divisor
 * of the sums, and are independent otherwise; with equal sums they are the same. Hashes of two seeds are independent.
 */
function redealt(had: Deal, has: Deal): Move[] {
  const period = had.seed === has.seed ? greatestCommonDivisor(had.total, has.total) : 1;
  const shares = new Map<number, number>();
  const [old, now] = [toIntervals(had), toIntervals(has)];
  const bounds = new Set([0, period, ...[...old, ...now].map(({ end }) => end % period)]);
  const starts = [...bounds].sort((left, right) => left - right);
  for (const [index, remainder] of starts.slice(0, -1).entries()) {
    const width = ((starts[index + 1] ?? period) - remainder) / period;
    const having = bucketsOf(now, has.total, { remainder, period });
    for (const [from, ofFrom] of bucketsOf(old, had.total, { remainder, period })) {
      for (const [to, ofTo] of having) {
        const pair = from * now.length + to;
        shares.set(pair, (shares.get(pair) ?? 0) + width * ofFrom * ofTo);
      }
    }
  }
  return [...shares].flatMap(([pair, share]) => {
    const [from, to] = [old[Math.floor(pair / now.length)]?.got, now[pair % now.length]?.got];
    return from === undefined || to === undefined || from === to ? [] : [{ from, to, share }];
  });
}

interface Interval {
  got: string | true;
  start: number;
  end: number;
}

function toIntervals({ parts }: Deal): Interval[] {
  let end = 0;
  return parts.map(({ got, weight }) => {
    const start = end;
    end += weight;
    return { got, start, end };
  });
}

/** The share of the buckets with this remainder that is in each interval, by its index. */
function bucketsOf(
  intervals: readonly Interval[],
  total: number,
  { remainder, period }: { remainder: number; period: number },
): [number, number][] {
  const before = (bound: number) => Math.ceil((bound - remainder) / period);
  const found: [number, number][] = [];
  for (const [index, { start, end }] of intervals.entries()) {
    const buckets = before(end) - before(start);
    if (buckets > 0) found.push([index, (buckets * period) / total]);
  }
  return found;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
