/** API keys as the command line finds and makes them. */
import { randomBytes } from "node:crypto";
import { hashKey } from "../../lib/access/identify.ts";
import type { ApiKeyItem } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { Refusal } from "../refusal.ts";
import { readProjectsAndKeys } from "./read-all.ts";
import { didYouMean } from "./terminal/nearest.ts";
import { note, print, printJson } from "./terminal/output.ts";

/** 256 bits that nobody can guess, behind a word by which scanners for leaked secrets can know it. */
export function newKey(): { key: string; keyHash: string } {
  const key = `burgee_${randomBytes(32).toString("base64url")}`;
  return { key, keyHash: hashKey(key) };
}

export async function readKeys(session: Session): Promise<ApiKeyItem[]> {
  return (await readProjectsAndKeys(session)).apiKeys;
}

export function findKey(keys: readonly ApiKeyItem[], name: string): ApiKeyItem {
  const found = keys.find((key) => key.name === name);
  if (found) return found;
  const hint = didYouMean(
    name,
    keys.map((key) => key.name),
  );
  throw new Refusal(`there is no key "${name}"${hint}`);
}

export type KeyState = "active" | "disabled" | "expired";

export function stateOf({ disabled = false, expiresAt }: ApiKeyItem, now = Date.now()): KeyState {
  if (disabled) return "disabled";
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? "expired" : "active";
}

/** The key alone is on the standard output, so that `KEY=$(burgee key create ...)` gets it. */
export function tellKey(key: string, members: { name: string }, { json }: { json?: boolean }): void {
  if (json) {
    printJson({ ...members, key });
    return;
  }
  print(key);
  note(`This is the key "${members.name}". It is shown this once: only its hash is stored.`);
}
