/** Opens the table for a command, which has no invocation with a deadline. */
import { setTimeout } from "node:timers/promises";
import type { Clock } from "../../lib/clock.ts";
import { type Client, createClient } from "../../lib/store/dynamodb/client.ts";
import { openSession, type Session } from "../../lib/store/dynamodb/session.ts";

/** A call may take this long, because a new table needs a while before it accepts thousands of writes a second. */
const deadlineMs = 60_000;
/** The most resends of a call: enough for a few seconds if the host is not found or refuses the connection. */
const maxResends = 10;

export function openTable(table: string, client: Client = createClient()): Session {
  return openSession({ client, table, remainingMs: () => deadlineMs, maxResends });
}

/** No round after a write conflict begins later than this. */
const roundsMs = 30_000;

/** The clock of one command, which begins now. */
export function newClock(): Clock {
  const end = performance.now() + roundsMs;
  return { ...systemClock, remainingMs: () => end - performance.now() };
}

export const systemClock: Clock = {
  sleep: (ms) => setTimeout(ms),
  remainingMs: () => deadlineMs,
};
