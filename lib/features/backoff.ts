/** Pauses requests at random after a write conflict, so that concurrent ones get through. */
import { ConflictError } from "../contract/errors.ts";

/** The reads and writes after a pause need this time. */
const marginMs = 500;
const mostPauses = 2;
/** The longest pause: a time or that of some attempts, whichever is greater. */
const longest = { ms: 100, attempts: 10 };

export interface Clock {
  sleep(ms: number): Promise<void>;
  /** The time until the invocation's deadline. */
  remainingMs(): number;
}

export interface Backoff {
  /** Whether the request has paused: what it has read of further environments is most likely old. */
  othersAreStale: boolean;
  begin(): void;
  /** Pauses and returns true after a request's first two conflicts, then returns false. Throws when the time is up. */
  pause(): Promise<boolean>;
}

/**
 * After its first conflicts a request pauses, so that those that met do not meet again. After later ones it does not: new
 * requests, which have not paused, would overtake it again and again. A pause is longer where attempts are slow: on a busy
 * machine the calls would otherwise go to conflicts.
 */
export function createBackoff({ sleep, remainingMs }: Clock): Backoff {
  let pauses = 0;
  let remainingAtBegin = remainingMs();
  return {
    othersAreStale: false,
    begin() {
      remainingAtBegin = remainingMs();
    },
    async pause() {
      const remaining = remainingMs();
      const leftMs = remaining - marginMs;
      if (leftMs < 0) throw new ConflictError("Gave up waiting for other requests; nothing was written here");
      if (pauses === mostPauses) return false;
      pauses++;
      this.othersAreStale = true;
      const attemptMs = remainingAtBegin - remaining;
      await sleep(Math.random() * Math.min(Math.max(longest.ms, longest.attempts * attemptMs), leftMs));
      this.begin();
      return true;
    },
  };
}
