/**
 * Lets requests that write one environment at once do so roughly in the order in which they began. Nothing is stored for
 * it: the state after a write conflict shows when the attempts began that have just written. An attempt that began later
 * pauses in proportion, and reads again; one that began earlier retries at once. So an attempt that waits moves forward.
 *
 * Advisory: the write's condition prevents lost updates, and a wrong clock costs a pause.
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

/** Reserved for the response; more than the session's own. */
const marginMs = 500;
/** The share of that time for which a later attempt pauses. */
const pausedShare = 0.9;
const longestPauseMs = 400;
/** A shorter one costs more for its read than it saves. */
const leastPauseMs = 5;

/** For one attempt, which writes its environments one after the other. */
export function createArrivalOrder(clock: Clock, stamp: Stamp) {
  /** It pauses only there: the requests it has met reach the next environments in the same order. */
  let metIn: string | undefined;
  return {
    /** Whether other requests write what it has read, so that further environments are to be read again. */
    hasMetOthers: () => metIn !== undefined,

    /** After a write conflict. Returns whether it has paused, so that the state is out of date. */
    async pause({ environment, changes }: EnvironmentState): Promise<boolean> {
      metIn ??= environment;
      const laterMs = metIn === environment ? beganLaterBy(stamp, changes) : 0;
      const pauseMs = Math.max(0, Math.min(longestPauseMs, laterMs * pausedShare));
      if (clock.remainingMs() - pauseMs < marginMs) {
        throw new ConflictError("Gave up waiting for other requests that write here; nothing was written");
      }
      if (pauseMs < leastPauseMs) return false;
      await clock.sleep(pauseMs);
      return true;
    },
  };
}

/**
 * By how many milliseconds: than the newest change, or than the newest five on average if that is less. One that had to
 * wait long would otherwise make all others pause as long though few are before them, and these again the next ones.
 */
function beganLaterBy(stamp: Stamp, changes: readonly Change[]): number {
  const laterMs = changes.slice(0, 5).map((change) => attemptedAt(stamp) - attemptedAt(change));
  const sum = laterMs.reduce((sum, ms) => sum + ms, 0);
  return Math.min(laterMs[0] ?? 0, sum / Math.max(1, laterMs.length));
}
