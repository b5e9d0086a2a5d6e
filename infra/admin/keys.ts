/** Creates, finds, revokes and prints API keys. Several may share a name: the current one, and retiring ones. */
import { randomBytes } from "node:crypto";
import { hashKey } from "../../lib/access/authenticate.ts";
import { ConflictError } from "../../lib/contract/errors.ts";
import type { Stamp } from "../../lib/features/stores.ts";
import type { ApiKeyItem } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { Refusal } from "../refusal.ts";
import { keyHashOf } from "../store/stored.ts";
import { revokeApiKey } from "../store/write-api-key.ts";
import { readProjectsAndKeys } from "./read-all.ts";
import { didYouMean } from "./terminal/nearest.ts";
import { note, print, printJson } from "./terminal/output.ts";

/** 256 random bits behind a prefix that scanners for leaked secrets can recognise. */
export function newKey(): { key: string; keyHash: string } {
  const key = `burgee_${randomBytes(32).toString("base64url")}`;
  return { key, keyHash: hashKey(key) };
}

export async function readKeys(session: Session): Promise<ApiKeyItem[]> {
  return (await readProjectsAndKeys(session)).apiKeys;
}

/** All keys of a name, the retiring ones included. */
export function keysNamed(keys: readonly ApiKeyItem[], name: string): ApiKeyItem[] {
  return keys.filter((key) => key.name === name);
}

export async function findKeys(session: Session, name: string): Promise<ApiKeyItem[]> {
  const keys = await readKeys(session);
  const found = keysNamed(keys, name);
  if (found.length > 0) return found;
  const names = keys.map((key) => key.name);
  throw new Refusal(`there is no key "${name}"${didYouMean(name, names)}`);
}

/** Revokes every key of a name, or all but one. A concurrent rotation may create another, so it reads until none is left. */
export async function revokeAll(
  session: Session,
  name: string,
  { newStamp, keep }: { newStamp: () => Stamp; keep?: string },
): Promise<number> {
  for (let count = 0; ; ) {
    const keys = keysNamed(await readKeys(session), name).filter((key) => keyHashOf(key) !== keep);
    if (keys.length === 0) return count;
    for (const key of keys) {
      await revokeApiKey(session, key, newStamp()).then(() => count++, unlessConflict);
    }
  }
}

function unlessConflict(error: unknown): void {
  if (!(error instanceof ConflictError)) throw error;
}

export function isRetiring({ retiredAt }: ApiKeyItem): boolean {
  return retiredAt !== undefined;
}

export type KeyState = "active" | "retiring" | "disabled" | "expired";

export function stateOf(key: ApiKeyItem, now = Date.now()): KeyState {
  if (key.disabled) return "disabled";
  if (key.expiresAt !== undefined && Date.parse(key.expiresAt) <= now) return "expired";
  return isRetiring(key) ? "retiring" : "active";
}

/** Prints only the key on the standard output, so that `KEY=$(burgee key create ...)` works. */
export function showKey(key: string, members: { name: string }, { json }: { json?: boolean }): void {
  if (json) {
    printJson({ ...members, key });
    return;
  }
  note(`This is the key "${members.name}". It cannot be shown again: only its hash is stored.`);
  print(key);
}
