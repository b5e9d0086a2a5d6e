/** Authenticates a caller: from the Authorization header to the name and permissions of an API key. */
import { createHash } from "node:crypto";
import { AuthenticationRequired } from "../contract/errors.ts";
import type { Caller, Permit } from "./permissions.ts";

export interface ApiKey {
  name: string;
  permissions: readonly Permit[];
  /** An RFC 3339 time; without one the key does not expire. */
  expiresAt?: string | undefined;
  disabled?: boolean;
}

export interface KeyCache {
  get(hash: string): ApiKey | undefined;
  /** `readAt` is when its look-up began: it may have been revoked since. */
  set(hash: string, key: ApiKey, readAt?: number): void;
}

interface Dependencies {
  readApiKey(hash: string): Promise<ApiKey | undefined>;
  cache: KeyCache;
  now?: () => number;
}

/** Unknown, disabled and expired keys have the same response, after the same one look-up. */
export async function authenticate(
  authorization: string | undefined,
  { readApiKey, cache, now = Date.now }: Dependencies,
): Promise<Caller> {
  const hash = hashKey(presentedKey(authorization));
  const readAt = now();
  const cached = cache.get(hash);
  if (cached && isValid(cached, readAt)) return toCaller(cached);
  const found = await readApiKey(hash);
  if (!found || !isValid(found, now())) throw unauthenticated();
  cache.set(hash, found, readAt);
  return toCaller(found);
}

/** `<API_KEY>`, or `Bearer <API_KEY>`; the name of a scheme is case-insensitive (RFC 9110 section 11.1). */
export function presentedKey(authorization = ""): string {
  const key = authorization.replace(/^\s*bearer\s+/i, "").trim();
  if (key === "") throw unauthenticated();
  return key;
}

export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

interface CacheOptions {
  /** How long a revoked key is accepted at most; 0 looks every key up each time. */
  seconds?: number;
  capacity?: number;
  now?: () => number;
}

/** Keeps valid keys in the warm sandbox for a short time. */
export function createKeyCache({
  seconds = 30,
  capacity = 1000,
  now = Date.now,
}: CacheOptions = {}): KeyCache {
  const entries = new Map<string, { key: ApiKey; until: number }>();
  return {
    get(hash) {
      const entry = entries.get(hash);
      return entry && now() < entry.until ? entry.key : undefined;
    },
    set(hash, key, readAt = now()) {
      // When full, the cache is cleared: simpler than LRU.
      if (entries.size >= capacity) entries.clear();
      entries.set(hash, { key, until: readAt + seconds * 1000 });
    },
  };
}

function isValid({ disabled, expiresAt }: ApiKey, now: number): boolean {
  return !disabled && (expiresAt === undefined || now < Date.parse(expiresAt));
}

function toCaller({ name, permissions }: ApiKey): Caller {
  return { name, permits: permissions };
}

/** RFC 9110 section 11.6.1: a 401 names a scheme that would do. */
function unauthenticated(): AuthenticationRequired {
  return new AuthenticationRequired("A valid API key is required in the Authorization header", {
    headers: { "www-authenticate": 'Bearer realm="burgee"' },
  });
}
