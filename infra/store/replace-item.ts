/**
 * Replaces an item that was read, or creates one where there was none. A write is refused if the item was changed since,
 * so a copy of it that arrives late changes nothing; only a late creation can restore an item that was deleted.
 */
import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError, ValidationError } from "../../lib/contract/errors.ts";
import { limits } from "../../lib/contract/limits.ts";
import { isConditionFailure, isItemTooLarge } from "../../lib/store/failures.ts";
import { getItem, type Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";

/** The version of an item is the id of its last change, or its uid if it records none. */
type Item = Key & { uid?: string; changed?: { id: string } };

export function concurrentChange(): ConflictError {
  return new ConflictError("it was changed concurrently; run the command again");
}

/** Each attempt writes what `make` returns: items of one version. */
export async function replaceItem(session: Session, read: Item | undefined, make: () => Item): Promise<void> {
  const put = () => new PutCommand({ TableName: session.table, Item: make(), ...isAsRead(read) });
  const result = await session.write(put);
  if (result.isStored) return;
  if (isItemTooLarge(result.refusal)) {
    const message = `it would not fit in a stored item (${limits.itemBytes / 1024} KiB)`;
    throw new ValidationError(message, { cause: result.refusal });
  }
  const item = make();
  await requireVersion(session, item, versionOf(item));
}

export async function removeItem(session: Session, read: Item): Promise<void> {
  const { pk, sk } = read;
  const remove = new DeleteCommand({ TableName: session.table, Key: { pk, sk }, ...isAsRead(read) });
  await session.send(remove).catch((error) => {
    if (!isConditionFailure(error)) throw error;
    return requireVersion(session, read, undefined);
  });
}

/** After a lost response the retry finds what the first attempt wrote. */
async function requireVersion(session: Session, { pk, sk }: Key, version: string | undefined): Promise<void> {
  if (versionOf(await getItem<Item>(session, { pk, sk })) !== version) throw concurrentChange();
}

function versionOf(item: Item | undefined): string | undefined {
  return item?.changed?.id ?? item?.uid;
}

function isAsRead(read: Item | undefined) {
  if (!read) return { ConditionExpression: "attribute_not_exists(pk)" };
  const isSame = read.changed ? "changed.id = :read" : "uid = :read";
  return { ConditionExpression: isSame, ExpressionAttributeValues: { ":read": versionOf(read) } };
}
