/** Stores and revokes API keys. */
import type { Stamp } from "../../lib/features/stamp.ts";
import type { ApiKeyItem } from "../../lib/store/items.ts";
import { replaceItem } from "../../lib/store/replace-item.ts";
import type { Session } from "../../lib/store/session.ts";
import type { ApiKeyContent } from "./content.ts";
import { apiKeyItem } from "./new-items.ts";

/** AWS refuses a signed request after minutes, so no copy of an earlier write arrives later than this. */
const tombstoneSeconds = 24 * 60 * 60;

/** Replaces what was read by its hash: a key, a revoked key, or nothing. A key keeps its creation time. */
export async function putApiKey(
  session: Session,
  key: ApiKeyContent,
  { stored, stamp }: { stored?: ApiKeyItem | undefined; stamp: Stamp },
): Promise<void> {
  const item = apiKeyItem(key, stamp);
  if (stored && stored.revokedAt === undefined) item.createdAt = stored.createdAt;
  await replaceItem(session, stored, () => item);
}

export function revokeApiKey(session: Session, stored: ApiKeyItem, stamp: Stamp): Promise<void> {
  const { pk, sk, inList, listedAs, name, createdAt } = stored;
  const ttl = Math.ceil(Date.parse(stamp.at) / 1000) + tombstoneSeconds;
  const state = { permissions: [], disabled: true, revokedAt: stamp.at, ttl, changed: stamp };
  const item: ApiKeyItem = { pk, sk, inList, listedAs, name, createdAt, ...state };
  return replaceItem(session, stored, () => item);
}
