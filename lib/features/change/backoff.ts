/** Pauses requests at random after a write conflict, so that concurrent ones get through. */
import type { Clock } from "../../clock.ts";
import { ConflictError } from "../../contract/errors.ts";

/** The reads and writes after a pause need this time. */
const marginMs = 500;
const mostPauses = 2;
/**
 * The longest pause takes 100 ms or as long as ten attempts, whichever is more, but two seconds at most: an attempt that
 * waited for a lost response does not show how busy the table is.
 */
const pauseLimit = { leastMs: 100, attempts: 10, mostMs: 2000 };

export interface Backoff {
  /** Whether the request has paused: what it read before of other environments is then most likely old. */
  hasPaused: boolean;
  /** Starts to measure how long an attempt takes. The end of a pause does so too. */
  startAttempt(): void;
  /** The first two calls pause and return true; later ones return false at once. Throws if the deadline is too near. */
  pause(): Promise<boolean>;
}

/**
 * After its first conflicts a request pauses, so that the requests that met do not meet again. After later conflicts it
 * does not pause: new requests, which have not paused, would overtake it again and again. Where attempts are slow, a
 * pause is longer: otherwise a busy machine would spend its calls on conflicts.
 */
export function createBackoff({ sleep, remainingMs }: Clock): Backoff {
  let pauses = 0;
  let attemptStartedAt = performance.now();
  return {
    hasPaused: false,
    startAttempt() {
      attemptStartedAt = performance.now();
    },
    async pause() {
      const leftMs = remainingMs() - marginMs;
      if (leftMs < 0) {
        throw new ConflictError("Gave up waiting for other requests; nothing was written here", {
          code: "gave-up",
        });
      }
      if (pauses === mostPauses) return false;
      pauses++;
      this.hasPaused = true;
      const attemptMs = performance.now() - attemptStartedAt;
      const longestMs = Math.max(pauseLimit.leastMs, pauseLimit.attempts * attemptMs);
      await sleep(Math.random() * Math.min(longestMs, pauseLimit.mostMs, leftMs));
      this.startAttempt();
      return true;
    },
  };
}
