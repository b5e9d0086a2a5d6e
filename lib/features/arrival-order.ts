/**
 * Lets concurrent attempts write an environment roughly in the order in which they began; a retry by a client is another
 * attempt. Nothing is stored for it: the state after a write conflict shows when those began that have just written. One
 * that began later pauses for most of the difference, and reads again; one that began earlier writes again without a pause.
 * So an attempt that waits moves forward.
 *
 * Advisory: the write's condition prevents lost updates, and a wrong clock costs pauses.
 */
import { ConflictError } from "../contract/errors.ts";
import type { Change, EnvironmentState } from "./feature.ts";
import { attemptedAt, type Stamp } from "./stamp.ts";

export interface Clock {
  sleep(ms: number): Promise<void>;
  /** Until the invocation's deadline. */
  remainingMs(): number;
}

export type ArrivalOrder = ReturnType<typeof createArrivalOrder>;

/** Left after a pause: for a read, a write, and the session's own margin. */
const marginMs = 500;
/** Of the time by which an attempt began later. */
const pausedShare = 0.9;
const longestPauseMs = 400;
/** A shorter one costs more for its read than it saves. */
const leastPauseMs = 5;

/** For one attempt, which writes its environments one after the other. */
export function createArrivalOrder(clock: Clock, stamp: Stamp) {
  /** It pauses only there: the requests it has met reach the next environments in the same order. */
  let metIn: string | undefined;
  return {
    /** Whether a write had a conflict: then what was read of the further environments is out of date as well. */
    hasMetOthers: () => metIn !== undefined,

    /** After a write conflict. Returns whether it has paused, so that the state is out of date. */
    async pause({ environment, changes }: EnvironmentState): Promise<boolean> {
      metIn ??= environment;
      const laterMs = metIn === environment ? beganLaterBy(stamp, changes) : 0;
      const mostMs = clock.remainingMs() - marginMs;
      if (mostMs < 0) throw new ConflictError("Gave up waiting for other requests; nothing was written here");
      const pauseMs = Math.min(laterMs * pausedShare, longestPauseMs, mostMs);
      if (pauseMs < leastPauseMs) return false;
      await clock.sleep(pauseMs);
      return true;
    },
  };
}

/**
 * In milliseconds: later than the newest change, or than the newest five on average if that is less. Otherwise an attempt
 * that has waited long, and so began early, would make all others pause as long as it did.
 */
function beganLaterBy(stamp: Stamp, changes: readonly Change[]): number {
  const laterMs = changes.slice(0, 5).map((change) => attemptedAt(stamp) - attemptedAt(change));
  const sum = laterMs.reduce((sum, ms) => sum + ms, 0);
  return Math.min(laterMs[0] ?? 0, sum / Math.max(1, laterMs.length));
}
