/** Opens the table for a tool, whose calls have no invocation's deadline. */
import { setTimeout } from "node:timers/promises";
import type { Clock } from "../../lib/features/change/backoff.ts";
import { type Client, createClient } from "../../lib/store/client.ts";
import { openSession, type Session } from "../../lib/store/session.ts";

/** A new table takes a while to accept thousands of writes a second. */
const deadlineMs = 60_000;
/** A few seconds, where the host is not found or refuses the connection. */
const mostRetries = 10;

/** Calls at once: fewer than the SDK's 50 connections, so that none times out while it waits for one. */
export const concurrency = 40;

export function openTable(table: string, client: Client = createClient()): Session {
  return openSession({ client, table, remainingMs: () => deadlineMs, mostRetries });
}

/** No retry begins later. */
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

export async function inParallel<Input, Output>(
  inputs: readonly Input[],
  work: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const outputs: Output[] = [];
  for (let start = 0; start < inputs.length; start += concurrency) {
    outputs.push(...(await Promise.all(inputs.slice(start, start + concurrency).map(work))));
  }
  return outputs;
}
