/** Waiting before another try: longer each time, never past the time that the invocation has left. */

export interface Patience {
  /** False, at once, when there is no time for another try; else true, after a pause. */
  pause(tries: number): Promise<boolean>;
}

interface Options {
  remainingMs: () => number;
  /** Kept back for the answer. */
  marginMs?: number;
  sleep?: (ms: number) => Promise<void>;
  /** 0 to 1. */
  jitter?: () => number;
}

const firstPauseMs = 10;
const longestPauseMs = 200;

export function createPatience({
  remainingMs,
  marginMs = 500,
  sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  jitter = Math.random,
}: Options): Patience {
  return {
    async pause(tries) {
      const ms = jitter() * Math.min(longestPauseMs, firstPauseMs * 2 ** tries);
      if (remainingMs() - ms < marginMs) return false;
      await sleep(ms);
      return true;
    },
  };
}
