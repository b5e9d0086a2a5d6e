/** Pauses requests at random after a write conflict, so that concurrent ones get through. */
import { afterPauseMs, type Clock } from "../../clock.ts";
import { ConflictError } from "../../contract/errors.ts";

const maxPauses = 2;
/**
 * The longest pause takes 100 ms or as long as ten rounds, whichever is more, but two seconds at most: a round that
 * waited for a lost response does not show how busy the table is.
 */
const pauseLimit = { minMs: 100, rounds: 10, maxMs: 2000 };

/** What the pauses of one request depend on. */
export interface Backoff {
  clock: Clock;
  /** How often the request has paused. After a pause, the environments that it has read are most likely outdated. */
  pauses: number;
  /** The start of the current round. */
  roundStartedAt: number;
}

export function createBackoff(clock: Clock): Backoff {
  return { clock, pauses: 0, roundStartedAt: performance.now() };
}

/** Starts a round, at the start of an environment or after a pause: the time before it does not lengthen the next pause. */
export function startRound(backoff: Backoff): void {
  backoff.roundStartedAt = performance.now();
}

/**
 * Pauses the first two times and returns true; later returns false. The end of a pause starts a round. Throws if the
 * deadline is too near. How long a request pauses:
 *
 *   after its first two conflicts   a random time, so that the requests that conflict do not conflict again
 *   after later conflicts           not at all: new requests, which have not paused, would overtake it again and again
 *   where rounds are slow           longer: otherwise a busy machine would spend its calls on conflicts
 */
export async function pause(backoff: Backoff): Promise<boolean> {
  const { clock, pauses, roundStartedAt } = backoff;
  const leftMs = clock.remainingMs() - afterPauseMs;
  if (leftMs < 0) {
    throw new ConflictError("Gave up waiting for other requests; nothing was written here", {
      code: "gave-up",
    });
  }
  if (pauses === maxPauses) return false;
  backoff.pauses++;
  const roundMs = performance.now() - roundStartedAt;
  const longestMs = Math.max(pauseLimit.minMs, pauseLimit.rounds * roundMs);
  await clock.sleep(Math.random() * Math.min(longestMs, pauseLimit.maxMs, leftMs));
  startRound(backoff);
  return true;
}
