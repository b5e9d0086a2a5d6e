/** Stores and revokes API keys. */

import type { Stamp } from "../../lib/features/stamp.ts";
import type { Session } from "../../lib/store/dynamodb/session.ts";
import {
  type ApiKeyItem,
  authorshipOf,
  type KeyEvent,
  keptSeconds,
  ttlAfter,
} from "../../lib/store/items/items.ts";
import { replaceItem } from "../../lib/store/replace-item.ts";
import type { ApiKeyContent } from "./content.ts";
import { apiKeyItem } from "./key-and-project-items.ts";

/** Bounds the log, so that the item stays small: each authentication reads it. */
const mostEvents = 10;

/**
 * Stores the key in place of what was read by its hash: a key, a revoked key, or nothing. A key keeps its creation time.
 */
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
  return [...(stored?.log ?? []), { ...authorshipOf(stamp), did }].slice(-mostEvents);
}

export async function revokeApiKey(session: Session, stored: ApiKeyItem, stamp: Stamp): Promise<void> {
  const { pk, sk, inList, listedAs, name, createdAt } = stored;
  // The item stays, so that the condition of a late copy of an earlier write fails. AWS refuses such copies after
  // minutes.
  const ttl = ttlAfter(stamp.at, keptSeconds);
  const log = logAfter(stored, "revoked", stamp);
  const state = { permissions: [], disabled: true, revokedAt: stamp.at, ttl, lastWrite: stamp, log };
  const item: ApiKeyItem = { pk, sk, inList, listedAs, name, createdAt, ...state };
  await replaceItem(session, stored, () => item);
}
