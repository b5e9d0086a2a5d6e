/** Authenticates a caller by the API key in the Authorization header. */
import { createHash } from "node:crypto";
import { AuthenticationRequired } from "../contract/errors.ts";
import { StaleCache } from "../stale-cache.ts";
import type { Caller, PathPermission, Permission } from "./permissions.ts";

export interface ApiKey {
  name: string;
  permissions: readonly Permission[];
  expiresAt?: string | undefined;
  disabled?: boolean;
}

export type KeyCache = StaleCache<ApiKey>;

export interface ApiKeys {
  readApiKey(hash: string): Promise<ApiKey | undefined>;
  cache: KeyCache;
}

/** A revoked key may still be accepted for `seconds`. While the database fails, the routes of SDKs accept it for longer. */
export function createKeyCache(seconds: number): KeyCache {
  return new StaleCache({ seconds, capacity: 1000, sizeOf: () => 1 });
}

/**
 * How many characters of a hash are shown: enough to distinguish two keys of one name, too few to find the item of a
 * key.
 */
export const shownHashCharacters = 8;

/**
 * Responds alike to an unknown, a disabled and an expired key, after the same look-up, so that the response does not say
 * which keys exist. Only the routes of SDKs, which require `CLIENT`, accept a cached key for longer while the database
 * fails.
 */
export async function authenticate(
  authorization: string | undefined,
  { readApiKey, cache }: ApiKeys,
  { permission }: { permission: PathPermission },
): Promise<Caller> {
  const hash = hashKey(presentedKey(authorization));
  const readValid = async () => {
    const key = await readApiKey(hash);
    return key && isValid(key) ? key : undefined;
  };
  const mayBeStale = permission === "CLIENT";
  const { value: key } = await cache.read(hash, readValid, { isValid, mayBeStale });
  // A key may expire while it is looked up, or while it is stale.
  if (!key || !isValid(key)) throw unauthenticated();
  return { name: key.name, keyHash: hash.slice(0, shownHashCharacters), permissions: key.permissions };
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

export function isValid({ disabled, expiresAt }: Pick<ApiKey, "disabled" | "expiresAt">): boolean {
  return !disabled && (expiresAt === undefined || Date.now() < Date.parse(expiresAt));
}

/** RFC 9110 section 11.6.1: a 401 names a scheme. */
function unauthenticated(): AuthenticationRequired {
  return new AuthenticationRequired("A valid API key is required in the Authorization header", {
    headers: { "www-authenticate": 'Bearer realm="burgee"' },
  });
}
