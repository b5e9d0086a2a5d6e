/** Pauses requests at random after a write conflict, so that concurrent ones get through. */
import { ConflictError } from "../contract/errors.ts";

/** The reads and writes after a pause need this time. */
const marginMs = 500;
/** The longest pause, at first and after many conflicts: a time or that of some attempts, whichever is greater. */
const first = { ms: 100, attempts: 6 };
const last = { ms: 20, attempts: 3 };

export interface Clock {
  sleep(ms: number): Promise<void>;
  /** The time until the invocation's deadline. */
  remainingMs(): number;
}

export interface Backoff {
  /** After a conflict, what the request has read of further environments is most likely old. */
  hasPaused: boolean;
  begin(): void;
  pause(): Promise<void>;
}

/**
 * The more conflicts a request has had, the shorter it pauses: exponential growth would starve those that have waited
 * longest. A pause is longer where attempts are slow: on a busy machine the calls would otherwise go to conflicts.
 */
export function createBackoff({ sleep, remainingMs }: Clock): Backoff {
  let longest = first;
  let remainingAtBegin = remainingMs();
  return {
    hasPaused: false,
    begin() {
      remainingAtBegin = remainingMs();
    },
    async pause() {
      const remaining = remainingMs();
      const leftMs = remaining - marginMs;
      if (leftMs < 0) throw new ConflictError("Gave up waiting for other requests; nothing was written here");
      this.hasPaused = true;
      const attemptMs = remainingAtBegin - remaining;
      await sleep(Math.random() * Math.min(Math.max(longest.ms, longest.attempts * attemptMs), leftMs));
      longest = {
        ms: Math.max(last.ms, longest.ms / 2),
        attempts: Math.max(last.attempts, longest.attempts / 2),
      };
      this.begin();
    },
  };
}
