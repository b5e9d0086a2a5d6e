/** Authenticates a caller by the API key in the Authorization header. */
import { createHash } from "node:crypto";
import { AuthenticationRequired } from "../contract/errors.ts";
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
  now?: () => number;
}

export type KeyCache = Map<string, { key: ApiKey; readAt: number }>;

const capacity = 1000;

/** An unknown, a disabled and an expired key have the same response, after the same one look-up. */
export async function authenticate(
  authorization: string | undefined,
  { readApiKey, cache, seconds, now = Date.now }: KeyReader,
): Promise<Caller> {
  const hash = hashKey(presentedKey(authorization));
  const readAt = now();
  const cached = cache.get(hash);
  const ageMs = readAt - (cached?.readAt ?? 0);
  // A negative age means that the clock was set back.
  const isFresh = cached && ageMs >= 0 && ageMs < seconds * 1000 && isValid(cached.key, readAt);
  const key = isFresh ? cached.key : await readApiKey(hash);
  if (!key || !isValid(key, now())) throw unauthenticated();
  // When full, the cache is cleared: simpler than LRU.
  if (!isFresh && cache.size >= capacity) cache.clear();
  // The key may have been revoked since the look-up began.
  if (!isFresh) cache.set(hash, { key, readAt });
  return { name: key.name, permissions: key.permissions };
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
