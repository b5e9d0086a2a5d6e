/** Finds, describes and revokes API keys. Several may share a name: the current one, and retiring ones. */
import type { ApiKeyItem } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { Refusal } from "../refusal.ts";
import { keyHashOf } from "../store/read-table.ts";
import { unlessConflict } from "../store/replace-item.ts";
import { revokeApiKey } from "../store/write-api-key.ts";
import { didYouMean } from "./names.ts";
import type { OperatorSession } from "./place.ts";
import { readAll } from "./read-all.ts";

/** All keys of a name, the retiring ones included. */
export async function findKeys(session: Session, name: string): Promise<ApiKeyItem[]> {
  const { apiKeys } = await readAll(session);
  const found = apiKeys.filter((key) => key.name === name);
  if (found.length > 0) return found;
  const names = apiKeys.map((key) => key.name);
  throw new Refusal(`there is no key "${name}"${didYouMean(name, names)}`);
}

/** Revokes every key of a name, or all but one. A concurrent rotation may create another, so it reads until none is left. */
export async function revokeAll(session: OperatorSession, name: string, keep?: string): Promise<number> {
  for (let count = 0; ; ) {
    const { apiKeys } = await readAll(session);
    const keys = apiKeys.filter((key) => key.name === name && keyHashOf(key) !== keep);
    if (keys.length === 0) return count;
    for (const key of keys) {
      await revokeApiKey(session, key, session.newStamp()).then(() => count++, unlessConflict);
    }
  }
}

export function stateOf({ disabled, expiresAt, retiredAt }: Partial<ApiKeyItem>): string {
  if (disabled) return "disabled";
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()) return "expired";
  return retiredAt === undefined ? "active" : "retiring";
}
