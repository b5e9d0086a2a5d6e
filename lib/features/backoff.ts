/** Waits before a retry: longer each time, never past the time that the invocation has left. */

export interface Backoff {
  /** False, at once, when there is no time for another attempt; else true, after a pause. */
  pause(attempt: number): Promise<boolean>;
}

interface Options {
  remainingMs: () => number;
  /** Kept back for the response. */
  marginMs?: number;
  sleep?: (ms: number) => Promise<void>;
  /** 0 to 1. */
  jitter?: () => number;
}

const firstPauseMs = 10;
const longestPauseMs = 200;

export function createBackoff({
  remainingMs,
  marginMs = 500,
  sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  jitter = Math.random,
}: Options): Backoff {
  return {
    async pause(attempt) {
      const ms = jitter() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
      if (remainingMs() - ms < marginMs) return false;
      await sleep(ms);
      return true;
    },
  };
}
