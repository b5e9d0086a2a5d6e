/** Serves cached values while the database fails: the documents of SDKs, and the API keys that load them. */
import { toApiError } from "./errors.ts";

export interface Cached<Value> {
  value: Value;
  readAt: number;
  /** The time of the last read that failed or took too long. */
  failedAt?: number;
}

/** A value is served for this long after the time for which it is fresh, while the database fails. */
export const staleSeconds = 900;

/**
 * A request with a stale value waits no longer than this, because concurrent requests would start sandboxes that have
 * none.
 */
const longestWaitMs = 1000;
/** Requests do not wait for the database in this time after a failure. */
const restMs = 5000;

export interface Read<Value> {
  value: Value;
  /** Present if the value is stale: the cause, for the log. */
  stale?: { cause: string };
}

/**
 * Reads a value again. If the database fails or is slow, returns the cached one; a slow read goes on, and `read` caches
 * its result. Rejects with any other error, for example when the project no longer exists.
 */
export async function readOrStale<Value>(
  read: () => Promise<Value>,
  cached: Cached<NoInfer<Value>> | undefined,
  now: number,
): Promise<Read<Value>> {
  if (!cached) return { value: await read() };
  const { value, failedAt } = cached;
  if (failedAt !== undefined && now >= failedAt && now - failedAt < restMs) {
    return { value, stale: { cause: `the database failed less than ${restMs / 1000} seconds ago` } };
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
