/** Lets concurrent requests write one environment: each pauses at random after a write conflict. */
import { ConflictError } from "../contract/errors.ts";
import type { Clock } from "./stores.ts";

/** Reserved after a pause for the reads and writes that follow. */
const marginMs = 500;
/** The most that a pause takes at first, and after many conflicts: the greater of a time and a number of attempts. */
const firstCap = { ms: 100, attempts: 6 };
const lastCap = { ms: 20, attempts: 3 };

export interface Backoff {
  /** Whether the request has had a write conflict: then what it has read of further environments is most likely old. */
  hasPaused: boolean;
  /** Throws if no time is left. */
  pause(): Promise<void>;
}

/**
 * The more conflicts a request has had, the shorter it pauses, so that it comes before those that began later. The usual
 * exponential growth would starve the requests that have waited longest. The cap
 * scales with the duration of an attempt: many callers on a busy machine would otherwise spend their calls on conflicts.
 */
export function createBackoff({ sleep, remainingMs }: Clock): Backoff {
  let cap = firstCap;
  let remainingAtBegin = remainingMs();
  return {
    hasPaused: false,
    async pause() {
      const remaining = remainingMs();
      const leftMs = remaining - marginMs;
      if (leftMs < 0) throw new ConflictError("Gave up waiting for other requests; nothing was written here");
      this.hasPaused = true;
      const attemptMs = remainingAtBegin - remaining;
      const mostMs = Math.max(cap.ms, cap.attempts * attemptMs);
      await sleep(Math.random() * Math.min(mostMs, leftMs));
      cap = {
        ms: Math.max(lastCap.ms, cap.ms / 2),
        attempts: Math.max(lastCap.attempts, cap.attempts / 2),
      };
      remainingAtBegin = remainingMs();
    },
  };
}
