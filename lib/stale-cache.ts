/** Caches API keys and documents in a warm sandbox. While the database fails, the routes of SDKs use stale ones. */
import { toApiError } from "./contract/errors.ts";

export interface Cached<Value> {
  value: Value;
  /** When the read of the value began. */
  readAt: number;
  /** When the last read began that failed or took too long. */
  failedAt?: number;
}

export interface CacheRead<Value> {
  value: Value;
  /** Set if the database failed or was slow: the age of the value and the cause, for the log. */
  stale?: { seconds: number; cause: string };
}

interface CacheSettings<Value> {
  /** How long a value is fresh. */
  seconds: number;
  /** The sizes of the cached values together are at most this; a value that is larger is cached alone. */
  capacity: number;
  sizeOf(value: Value): number;
}

/** While the database fails, a value is used for this long after it was last fresh. */
const staleSeconds = 900;

/**
 * A request with a stale value waits no longer than this. A longer wait would occupy the sandbox, and Lambda would
 * start others for concurrent requests, whose caches are empty.
 */
const maxWaitMs = 1000;
/** For this time after the start of a read that failed, requests with a stale value do not wait for the database. */
const pauseAfterFailureMs = 5000;

export class StaleCache<Value> {
  readonly entries = new Map<string, Cached<Value>>();
  readonly #settings: CacheSettings<Value>;

  constructor(settings: CacheSettings<Value>) {
    this.#settings = settings;
  }

  /**
   * Returns the cached value while it is fresh and valid, or else reads it. Undefined is not cached. If the database
   * fails or is slow, returns the stale value, if `mayBeStale`; whether that is valid, the caller checks. A slow read goes
   * on, and its result is cached. Any other error rejects and removes the cached value, for example when the project no
   * longer exists.
   */
  async read<Result extends Value | undefined>(
    id: string,
    find: () => Promise<Result>,
    {
      isValid = () => true,
      mayBeStale = true,
    }: { isValid?(value: Value): boolean; mayBeStale?: boolean } = {},
  ): Promise<CacheRead<Value | Result>> {
    const { seconds } = this.#settings;
    const now = Date.now();
    const cached = this.entries.get(id);
    const ageMs = now - (cached?.readAt ?? 0);
    // A negative age means that the clock was set back.
    const isYoungerThan = (age: number) => ageMs >= 0 && ageMs < age * 1000;
    if (cached && isYoungerThan(seconds) && isValid(cached.value)) return { value: cached.value };
    // The value is as old as the beginning of the read: it may have changed since.
    const findAndCache = async () => {
      try {
        return this.#replace(id, await find(), now);
      } catch (error) {
        if (!isFailure(error)) this.#replace(id, undefined, now);
        throw error;
      }
    };
    if (!cached || !mayBeStale || !isYoungerThan(seconds + staleSeconds))
      return { value: await findAndCache() };
    const inTime = await readInTime(findAndCache, cached, now);
    if ("value" in inTime) return inTime;
    return { value: cached.value, stale: { seconds: Math.floor(ageMs / 1000), cause: inTime.cause } };
  }

  /**
   * Caches the value in place of the one that is cached, which `undefined` only removes, and returns it. Leaves the cache
   * as it is if a read that began later has cached a value, unless the time of that read is in the future: then the clock
   * was set back since.
   */
  #replace<Result extends Value | undefined>(id: string, value: Result, readAt: number): Result {
    const cached = this.entries.get(id);
    if (cached && cached.readAt > readAt && cached.readAt <= Date.now()) return value;
    this.entries.delete(id);
    if (value === undefined) return value;
    const { capacity, sizeOf } = this.#settings;
    const sizes = [...this.entries.values()].map((entry) => sizeOf(entry.value));
    // When full, the cache is cleared: simpler than LRU.
    if (sizes.reduce((sum, size) => sum + size, sizeOf(value)) > capacity) this.entries.clear();
    this.entries.set(id, { value, readAt });
    return value;
  }
}

/**
 * Whether the read failed, by the database or a defect. Any other error is an answer, for example that there is no such
 * project.
 */
function isFailure(error: unknown): boolean {
  return toApiError(error).status >= 500;
}

/** Returns the value, or why it could not be read in time. Notes the time of the failure in `cached`. */
async function readInTime<Result>(
  read: () => Promise<Result>,
  cached: Cached<unknown>,
  now: number,
): Promise<{ value: Result } | { cause: string }> {
  const { failedAt = 0 } = cached;
  if (now >= failedAt && now - failedAt < pauseAfterFailureMs) {
    return { cause: `the last read failed less than ${pauseAfterFailureMs / 1000} seconds ago` };
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), maxWaitMs);
  });
  let cause = `it was not read within ${maxWaitMs} ms`;
  try {
    const inTime = await Promise.race([read().then((value) => ({ value })), late]);
    if (inTime !== "late") return inTime;
  } catch (error) {
    if (!isFailure(error)) throw error;
    const failure = toApiError(error);
    cause = String(failure.cause ?? failure);
  } finally {
    clearTimeout(timer);
  }
  cached.failedAt = now;
  return { cause };
}
