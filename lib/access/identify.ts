/** From the Authorization header to the caller. */
import { createHash } from "node:crypto";
import { AuthenticationRequired } from "../contract/errors.ts";
import type { ApiKey, ApiKeyStore } from "./api-key-store.ts";
import type { Caller } from "./caller.ts";
import type { KeyCache } from "./key-cache.ts";

/** `<API_KEY>`, or `Bearer <API_KEY>`; the name of a scheme is case-insensitive (RFC 9110 section 11.1). */
export function presentedKey(authorization = ""): string {
  const key = authorization.replace(/^\s*bearer\s+/i, "").trim();
  if (key === "") throw unauthenticated();
  return key;
}

/** Unknown, disabled and expired keys are told apart neither by the answer nor by its time. */
export async function identify(
  key: string,
  { store, cache, now = Date.now }: { store: ApiKeyStore; cache: KeyCache; now?: () => number },
): Promise<Caller> {
  const hash = hashKey(key);
  const cached = cache.get(hash);
  if (cached && isValid(cached, now())) return toCaller(cached);
  const found = await store.readApiKey(hash);
  if (!found || !isValid(found, now())) throw unauthenticated();
  cache.set(hash, found);
  return toCaller(found);
}

export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

function isValid({ disabled, expiresAt }: ApiKey, now: number): boolean {
  return !disabled && (expiresAt === undefined || now < Date.parse(expiresAt));
}

function toCaller({ name, permissions }: ApiKey): Caller {
  return { name, permits: permissions };
}

/** RFC 9110 section 11.6.1: a 401 names a scheme that would do. */
function unauthenticated(): AuthenticationRequired {
  return new AuthenticationRequired("a valid API key is required in the Authorization header", {
    headers: { "www-authenticate": 'Bearer realm="burgee"' },
  });
}
