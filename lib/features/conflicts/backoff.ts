/** Pauses requests at random after a write conflict, so that concurrent ones get through. */
import { afterPauseMs, type Clock } from "../../clock.ts";
import { ConflictError } from "../../contract/errors.ts";

const maxPauses = 2;
/**
 * The longest pause takes 100 ms or as long as ten rounds, whichever is more, but two seconds at most: a round that
 * waited for a lost response does not show how busy the table is.
 */
const pauseLimit = { minMs: 100, rounds: 10, maxMs: 2000 };

export interface Backoff {
  /** Whether the request has paused. If so, what it read of the next environments before is most likely old. */
  hasPaused(): boolean;
  /**
   * Starts to measure a round: a plan and a write of one environment, or of the tags. The end of a pause starts a round
   * too.
   */
  startRound(): void;
  /** The first two calls pause and return true; later ones return false. Each throws if the deadline is too near. */
  pause(): Promise<boolean>;
}

/**
 * How long a request pauses:
 *
 *   after its first two conflicts   a random time, so that the requests that conflict do not conflict again
 *   after later conflicts           not at all: new requests, which have not paused, would overtake it again and again
 *   where rounds are slow           longer: otherwise a busy machine would spend its calls on conflicts
 */
export function createBackoff({ sleep, remainingMs }: Clock): Backoff {
  let pauses = 0;
  let roundStartedAt = performance.now();
  const startRound = () => {
    roundStartedAt = performance.now();
  };
  return {
    hasPaused: () => pauses > 0,
    startRound,
    async pause() {
      const leftMs = remainingMs() - afterPauseMs;
      if (leftMs < 0) {
        throw new ConflictError("Gave up waiting for other requests; nothing was written here", {
          code: "gave-up",
        });
      }
      if (pauses === maxPauses) return false;
      pauses++;
      const roundMs = performance.now() - roundStartedAt;
      const longestMs = Math.max(pauseLimit.minMs, pauseLimit.rounds * roundMs);
      await sleep(Math.random() * Math.min(longestMs, pauseLimit.maxMs, leftMs));
      startRound();
      return true;
    },
  };
}
