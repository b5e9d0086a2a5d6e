/** The writes that an environment's item remembers, so that a retry of one is recognised; and the records that have left it. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { limits } from "../contract/limits.ts";
import type { Change, IdempotencyRecord, RecordedWrite, RememberedWrite } from "../features/feature.ts";
import { type IdempotencyItem, idempotencyKey, readPartition, type StoredWrite } from "./items.ts";
import type { Session } from "./session.ts";

export interface RetryList {
  writes: RememberedWrite[];
  /** Records to store as items of their own, before the list without them is written. */
  moving: RecordedWrite[];
}

export function toStoredWrite(write: RememberedWrite): StoredWrite {
  const { id, revision } = write;
  if (!isRecord(write)) return [id, revision];
  const { at, key, change, undone, redone } = write;
  const record = [id, revision, Date.parse(at), key, change] as const;
  if (undone !== undefined) return [...record, "undone", undone];
  return redone === undefined ? [...record] : [...record, "redone", redone];
}

export function fromStoredWrite([id, revision, at, key, change, mark, by]: StoredWrite): RememberedWrite {
  if (at === undefined || key === undefined || change === undefined) return { id, revision };
  const record = { id, revision, at: new Date(at).toISOString(), key, change };
  return mark === undefined ? record : { ...record, [mark]: by };
}

/**
 * Keeps the newest `rememberedWrites` writes without an idempotency key, and all unexpired records; when there are more
 * than `rememberedWrites` of these, the first half of that moves.
 */
export function rememberWrite(
  writes: readonly RememberedWrite[],
  latest: RememberedWrite & { at: string },
): RetryList {
  const all = [...writes, latest];
  const plain = all.filter((write) => !isRecord(write)).slice(-limits.rememberedWrites);
  const records = all.filter(isRecord).filter((record) => Date.parse(latest.at) < expiryOf(record));
  const isFull = records.length > limits.rememberedWrites;
  const moving = records.slice(0, isFull ? Math.ceil(limits.rememberedWrites / 2) : 0);
  const kept = new Set([...plain, ...records.slice(moving.length)]);
  return { writes: all.filter((write) => kept.has(write)), moving };
}

/**
 * An undo marks the record of the change that it undoes. Undoing the undo takes the mark back, and undoing that sets it
 * again. A record that is marked is the last to move: only the newest undo can be undone.
 */
export function markUndone(
  writes: readonly RememberedWrite[],
  change: Change,
  undo: string,
): RememberedWrite[] {
  const { id, revision, at, key } = change;
  const records = writes.filter(isRecord);
  const hasMoved = key !== undefined && !records.some((record) => record.change === id);
  const known = hasMoved ? [...records, { id, revision, at, key, change: id }] : records;
  const marked = known.flatMap((record) => {
    if (record.undone === id) return { ...unmarked(record), redone: undo };
    return record.change === id || record.redone === id ? { ...unmarked(record), undone: undo } : [];
  });
  const changed = new Set(marked.map((record) => record.change));
  return [...writes.filter((write) => !isRecord(write) || !changed.has(write.change)), ...marked];
}

function unmarked({ undone: _, redone: __, ...record }: RecordedWrite): RecordedWrite {
  return record;
}

export function isRecord(write: RememberedWrite): write is RecordedWrite {
  return "key" in write;
}

/** In milliseconds since 1970. */
export function expiryOf({ at }: RecordedWrite): number {
  return Date.parse(at) + limits.idempotencyHours * 3_600_000;
}

/** The records of a key, by the uid of their environment. */
export async function readMovedRecords(
  session: Session,
  key: string,
): Promise<ReadonlyMap<string, IdempotencyRecord>> {
  const items = await readPartition(session, idempotencyKey(key, "").pk);
  return new Map(
    (items as IdempotencyItem[]).flatMap(({ sk, record }) =>
      [fromStoredWrite(record)]
        .filter(isRecord)
        // DynamoDB removes an item some time after its TTL.
        .filter((write) => Date.now() < expiryOf(write))
        .map((write) => [sk, write] as const),
    ),
  );
}

/** Safe to retry: each attempt writes the same items. */
export async function moveRecords(
  { table, send }: Session,
  uid: string,
  records: readonly RecordedWrite[],
): Promise<void> {
  const updates = records.map(
    (record) =>
      new UpdateCommand({
        TableName: table,
        Key: idempotencyKey(record.key, uid),
        UpdateExpression: "SET #record = :record, #ttl = :ttl",
        // DynamoDB reserves the word "ttl".
        ExpressionAttributeNames: { "#record": "record", "#ttl": "ttl" },
        ExpressionAttributeValues: {
          ":record": toStoredWrite(record),
          ":ttl": Math.ceil(expiryOf(record) / 1000),
        },
      }),
  );
  await Promise.all(updates.map((update) => send(update)));
}
