/** Lets concurrent requests write one environment: each pauses at random after a write conflict. */
import { ConflictError } from "../contract/errors.ts";
import type { Clock } from "./stores.ts";

/** Reserved after a pause for the reads and writes that follow. */
const marginMs = 500;
/** The longest pause at first, and after many conflicts: the greater of a time and that of some attempts. */
const first = { ms: 100, attempts: 6 };
const last = { ms: 20, attempts: 3 };

export interface Backoff {
  /** Whether the request has had a write conflict: then what it has read of further environments is most likely old. */
  hasPaused: boolean;
  /** Begins the first attempt at an environment. A pause begins the next one. */
  begin(): void;
  /** Throws if no time is left. */
  pause(): Promise<void>;
}

/**
 * The more conflicts a request has had, the shorter it pauses, so that it comes before those that began later. The usual
 * exponential growth would starve the requests that have waited longest. A pause is longer where attempts are slow: many
 * callers on a busy machine would otherwise spend their calls on conflicts.
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
