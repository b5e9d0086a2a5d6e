/**
 * Stores and revokes API keys. Each write is conditional on the item that was read, so that a copy of it that arrives
 * late, such as an attempt that was given up, changes nothing.
 */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Stamp } from "../../lib/features/stores.ts";
import { isConditionFailure } from "../../lib/store/failures.ts";
import type { ApiKeyItem } from "../../lib/store/items.ts";
import { getItem } from "../../lib/store/read-items.ts";
import type { Session } from "../../lib/store/session.ts";
import { apiKeyItem, type NewApiKey } from "./new-items.ts";
import { concurrentChange } from "./or-conflict.ts";

/** AWS refuses a signed request after minutes, so no copy of an earlier write arrives later than this. */
const tombstoneSeconds = 24 * 60 * 60;

/** Replaces what was read by its hash: a key, a revoked key, or nothing. A key keeps its creation time. */
export async function putApiKey(
  session: Session,
  key: NewApiKey,
  { stored, stamp }: { stored?: ApiKeyItem | undefined; stamp: Stamp },
): Promise<ApiKeyItem> {
  const createdAt = stored?.revokedAt === undefined ? stored?.createdAt : undefined;
  const item = { ...apiKeyItem(key, stamp), ...(createdAt !== undefined && { createdAt }) };
  if (!(await write(session, item, stored))) throw concurrentChange();
  return item;
}

/** False if the key was changed after it was read. */
export function revokeApiKey(session: Session, stored: ApiKeyItem, stamp: Stamp): Promise<boolean> {
  const { pk, sk, name, createdAt } = stored;
  const ttl = Math.ceil(Date.parse(stamp.at) / 1000) + tombstoneSeconds;
  const state = { permissions: [], disabled: true, revokedAt: stamp.at, ttl, changed: stamp };
  return write(session, { pk, sk, name, createdAt, ...state }, stored);
}

async function write(session: Session, item: ApiKeyItem, stored: ApiKeyItem | undefined): Promise<boolean> {
  const isAsRead = stored
    ? { ConditionExpression: "changed.id = :read", ExpressionAttributeValues: { ":read": stored.changed.id } }
    : { ConditionExpression: "attribute_not_exists(pk)" };
  try {
    await session.send(new PutCommand({ TableName: session.table, Item: item, ...isAsRead }));
    return true;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    // After a lost response the retry finds what the first attempt wrote.
    const { pk, sk, changed } = item;
    return (await getItem<ApiKeyItem>(session, { pk, sk }))?.changed.id === changed.id;
  }
}
