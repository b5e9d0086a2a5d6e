/**
 * Lets concurrent requests write one environment: after a conflict each pauses at random. The more conflicts one has had,
 * the shorter it pauses: so it gets its turn before those that came later.
 */
import { ConflictError } from "../contract/errors.ts";
import type { Clock } from "./stores.ts";

/** Left after a pause: for the reads and writes that follow, and the session's own margin. */
const marginMs = 500;
const longestPauseMs = 200;
const shortestPauseMs = 20;

/** The pause of one request, after each of its write conflicts. It throws if no time is left. */
export function createBackoff({ sleep, remainingMs }: Clock): () => Promise<void> {
  let conflicts = 0;
  return async () => {
    const leftMs = remainingMs() - marginMs;
    if (leftMs < 0) throw new ConflictError("Gave up waiting for other requests; nothing was written here");
    const mostMs = Math.min(Math.max(shortestPauseMs, longestPauseMs / 2 ** conflicts), leftMs);
    conflicts += 1;
    await sleep(Math.random() * mostMs);
  };
}
