/** Authenticates a caller by the API key in the Authorization header. */
import { createHash } from "node:crypto";
import { AuthenticationRequired } from "../contract/errors.ts";
import { type Cached, readOrStale, staleSeconds } from "../contract/stale.ts";
import type { Caller, Permission } from "./permissions.ts";

export interface ApiKey {
  name: string;
  permissions: readonly Permission[];
  expiresAt?: string | undefined;
  disabled?: boolean;
}

export interface KeyReader {
  readApiKey(hash: string): Promise<ApiKey | undefined>;
  cache: KeyCache;
  /** How long a revoked key may still be accepted. */
  seconds: number;
  /** Accepts a cached key for longer while the database fails: only where nothing but documents is read. */
  mayBeStale?: boolean;
  now?: () => number;
}

export type KeyCache = Map<string, Cached<ApiKey>>;

const capacity = 1000;

/** Of the hash: enough to tell two keys of one name apart, too few to find the key's item. */
const shownCharacters = 8;

/** An unknown, a disabled and an expired key have the same response, after the same one look-up. */
export async function authenticate(
  authorization: string | undefined,
  { readApiKey, cache, seconds, mayBeStale = false, now = Date.now }: KeyReader,
): Promise<Caller> {
  const hash = hashKey(presentedKey(authorization));
  const readAt = now();
  const cached = cache.get(hash);
  const ageMs = readAt - (cached?.readAt ?? 0);
  // A negative age means that the clock was set back.
  const isYoungerThan = (limit: number) => ageMs >= 0 && ageMs < limit * 1000;
  const isFresh = cached && isYoungerThan(seconds) && isValid(cached.value, readAt);
  const usable = mayBeStale && isYoungerThan(seconds + staleSeconds) ? cached : undefined;
  const read = async () => cacheKey(cache, hash, await readApiKey(hash), readAt);
  const key = isFresh ? cached.value : (await readOrStale(read, usable, readAt)).value;
  if (!key || !isValid(key, now())) throw unauthenticated();
  return { name: key.name, keyHash: hash.slice(0, shownCharacters), permissions: key.permissions };
}

/** Caches a key that was found; a key that is no longer found is forgotten. A slower read never replaces a later one. */
function cacheKey(
  cache: KeyCache,
  hash: string,
  key: ApiKey | undefined,
  readAt: number,
): ApiKey | undefined {
  const cached = cache.get(hash);
  if (cached && cached.readAt > readAt) return key;
  cache.delete(hash);
  if (!key || !isValid(key, readAt)) return key;
  // When full, the cache is cleared: simpler than LRU.
  if (cache.size >= capacity) cache.clear();
  // The key may have been revoked since the look-up began.
  cache.set(hash, { value: key, readAt });
  return key;
}

/** The scheme's name is optional, and case-insensitive (RFC 9110 section 11.1). */
export function presentedKey(authorization = ""): string {
  const key = authorization.replace(/^\s*bearer\s+/i, "").trim();
  if (key === "") throw unauthenticated();
  return key;
}

export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

function isValid({ disabled, expiresAt }: ApiKey, now: number): boolean {
  return !disabled && (expiresAt === undefined || now < Date.parse(expiresAt));
}

/** RFC 9110 section 11.6.1: a 401 names a scheme. */
function unauthenticated(): AuthenticationRequired {
  return new AuthenticationRequired("A valid API key is required in the Authorization header", {
    headers: { "www-authenticate": 'Bearer realm="burgee"' },
  });
}
