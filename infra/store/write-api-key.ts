/** Stores and revokes API keys. */

import { limits } from "../../lib/contract/limits.ts";
import type { Stamp } from "../../lib/features/stamp.ts";
import { type ApiKeyItem, type KeyEvent, toCreation } from "../../lib/store/items.ts";
import { replaceItem } from "../../lib/store/replace-item.ts";
import type { Session } from "../../lib/store/session.ts";
import type { ApiKeyContent } from "./content.ts";
import { apiKeyItem } from "./new-items.ts";

/** AWS refuses a signed request after minutes: until then a late copy of an earlier write must not find the item gone. */
const tombstoneSeconds = limits.changeDays * 24 * 3600;

/** So that the item, which each authentication reads, stays small. */
const mostEvents = 10;

/** Replaces what was read by its hash: a key, a revoked key, or nothing. A key keeps its creation time. */
export async function putApiKey(
  session: Session,
  key: ApiKeyContent,
  { stored, stamp }: { stored?: ApiKeyItem | undefined; stamp: Stamp },
): Promise<void> {
  const item = apiKeyItem(key, stamp);
  if (stored && stored.revokedAt === undefined) item.createdAt = stored.createdAt;
  item.log = logAfter(stored, whatHappens(stored, key), stamp);
  await replaceItem(session, stored, () => item);
}

function whatHappens(stored: ApiKeyItem | undefined, key: ApiKeyContent): KeyEvent["did"] {
  if (!stored || stored.revokedAt !== undefined) return "created";
  if (key.retiredAt !== undefined && stored.retiredAt === undefined) return "rotated";
  const { disabled = false } = stored;
  if (key.disabled === disabled) return "changed";
  return key.disabled ? "disabled" : "enabled";
}

function logAfter(stored: ApiKeyItem | undefined, did: KeyEvent["did"], stamp: Stamp): readonly KeyEvent[] {
  return [...(stored?.log ?? []), { ...toCreation(stamp), did }].slice(-mostEvents);
}

export function revokeApiKey(session: Session, stored: ApiKeyItem, stamp: Stamp): Promise<void> {
  const { pk, sk, inList, listedAs, name, createdAt } = stored;
  const ttl = Math.ceil(Date.parse(stamp.at) / 1000) + tombstoneSeconds;
  const log = logAfter(stored, "revoked", stamp);
  const state = { permissions: [], disabled: true, revokedAt: stamp.at, ttl, changed: stamp, log };
  const item: ApiKeyItem = { pk, sk, inList, listedAs, name, createdAt, ...state };
  return replaceItem(session, stored, () => item);
}
