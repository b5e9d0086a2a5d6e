/** Serves what is cached while the database fails: the documents of SDKs, and the keys that load them. */
import { toApiError } from "./errors.ts";

export interface Cached<Value> {
  value: Value;
  readAt: number;
  /** When reading it again failed or took too long. */
  failedAt?: number;
}

/** How long a value is served beyond the time for which it is fresh. */
export const staleSeconds = 900;

/** A request waits no longer than this if it can have a stale value: others would get a sandbox that has none. */
const longestWaitMs = 1000;
/** After a failure the database gets a rest: requests in this time do not wait. */
const restMs = 5000;

export interface Read<Value> {
  value: Value;
  /** Why the value is a stale one, for the log. */
  stale?: { cause: string };
}

/**
 * Reads a value again. If the database fails or is slow, returns the stale one; a slow read goes on, and `read` caches its
 * result. Rejects with any other error, such as that the project no longer exists.
 */
export async function readOrStale<Value>(
  read: () => Promise<Value>,
  cached: Cached<NoInfer<Value>> | undefined,
  now: number,
): Promise<Read<Value>> {
  if (!cached) return { value: await read() };
  const { value, failedAt } = cached;
  if (failedAt !== undefined && now >= failedAt && now - failedAt < restMs) {
    return { value, stale: { cause: "the database failed less than 5 seconds ago" } };
  }
  const reading = read();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), longestWaitMs);
  });
  let cause = `the database did not respond within ${longestWaitMs} ms`;
  try {
    const inTime = await Promise.race([reading.then((value) => ({ value })), late]);
    if (inTime !== "late") return inTime;
  } catch (error) {
    const failure = toApiError(error);
    if (failure.status < 500) throw error;
    cause = String(failure.cause ?? failure);
  } finally {
    clearTimeout(timer);
  }
  // Avoids an unhandled rejection when a slow read fails later.
  reading.catch(() => {});
  cached.failedAt = now;
  return { value, stale: { cause } };
}
