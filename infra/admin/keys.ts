/** Creates, finds and prints API keys. Several may share a name: the current one, and retiring ones. */
import { randomBytes } from "node:crypto";
import { hashKey } from "../../lib/access/authenticate.ts";
import type { ApiKeyItem } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { Refusal } from "../refusal.ts";
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

/** All keys of a name, the retiring ones included; earlier versions renamed those to "NAME (until TIME)". */
export function keysNamed(keys: readonly ApiKeyItem[], name: string): ApiKeyItem[] {
  return keys.filter((key) => key.name === name || nameBeforeRetiring(key) === name);
}

export function findKeys(keys: readonly ApiKeyItem[], name: string): ApiKeyItem[] {
  const found = keysNamed(keys, name);
  if (found.length > 0) return found;
  const hint = didYouMean(
    name,
    keys.map((key) => key.name),
  );
  throw new Refusal(`there is no key "${name}"${hint}`);
}

export function isRetiring(key: ApiKeyItem): boolean {
  return key.retiredAt !== undefined || nameBeforeRetiring(key) !== undefined;
}

function nameBeforeRetiring({ name, expiresAt }: ApiKeyItem): string | undefined {
  const suffix = ` (until ${expiresAt})`;
  return expiresAt !== undefined && name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
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
