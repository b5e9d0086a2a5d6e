/** Opens the table for a command, which has no invocation with a deadline. */
import { setTimeout } from "node:timers/promises";
import type { Clock } from "../../lib/clock.ts";
import { type Client, createClient } from "../../lib/store/client.ts";
import { openSession, type Session } from "../../lib/store/session.ts";

/** A call may take this long, because a new table needs a while before it accepts thousands of writes a second. */
const deadlineMs = 60_000;
/** A call ends after this many retries: a few seconds, if the host is not found or refuses the connection. */
const mostRetries = 10;

export function openTable(table: string, client: Client = createClient()): Session {
  return openSession({ client, table, remainingMs: () => deadlineMs, mostRetries });
}

/** No retry after a write conflict begins later than this. */
const retriesMs = 30_000;

/** The clock of one command, which begins now. */
export function newClock(): Clock {
  const end = performance.now() + retriesMs;
  return { ...systemClock, remainingMs: () => end - performance.now() };
}

export const systemClock: Clock = {
  sleep: (ms) => setTimeout(ms),
  remainingMs: () => deadlineMs,
};
