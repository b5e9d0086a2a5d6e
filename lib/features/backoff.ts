/** Lets concurrent requests write one environment: each pauses at random after a write conflict. */
import { ConflictError } from "../contract/errors.ts";
import type { Clock } from "./stores.ts";

/** Reserved after a pause for the reads and writes that follow. */
const marginMs = 500;
const longestPauseMs = 100;
const shortestPauseMs = 20;

export interface Backoff {
  /** Whether the request has met others: then what it has read of further environments is most likely old. */
  hasPaused: boolean;
  /** Throws if no time is left. */
  pause(): Promise<void>;
}

/**
 * The more conflicts a request has had, the shorter it pauses, so that it comes before those that began later. The usual
 * exponential growth would starve the requests that have waited longest.
 */
export function createBackoff({ sleep, remainingMs }: Clock): Backoff {
  let mostMs = longestPauseMs;
  return {
    hasPaused: false,
    async pause() {
      const leftMs = remainingMs() - marginMs;
      if (leftMs < 0) throw new ConflictError("Gave up waiting for other requests; nothing was written here");
      this.hasPaused = true;
      await sleep(Math.random() * Math.min(mostMs, leftMs));
      mostMs = Math.max(shortestPauseMs, mostMs / 2);
    },
  };
}
