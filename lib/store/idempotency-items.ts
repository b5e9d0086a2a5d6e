/** Idempotency records that have left their environment's item. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { IdempotencyRecord, RecordedWrite } from "../features/feature.ts";
import { type IdempotencyItem, idempotencyKey } from "./items.ts";
import { readPartition } from "./read-items.ts";
import { expiryOf, fromStoredWrite, isRecord, toStoredWrite } from "./retry-list.ts";
import type { Session } from "./session.ts";

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

/** Safe to retry: a record has one key and one content. */
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
