/** Reads items: one, the one that failed a condition, or all of a partition. */
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Key } from "./items.ts";
import type { Session } from "./session.ts";

export async function getItem<Item extends Key>(
  { table, send }: Session,
  key: Key,
): Promise<Item | undefined> {
  const { Item } = await send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
  return Item as Item | undefined;
}

/** The item that failed a condition. Not every engine returns it with the failure, and none does where there is none. */
export async function currentItem<Item extends Key>(
  session: Session,
  failure: ConditionalCheckFailedException,
  key: Key,
): Promise<Item | undefined> {
  // The document client unmarshalls responses, but not what an error carries.
  return failure.Item ? (unmarshall(failure.Item) as Item) : getItem<Item>(session, key);
}

/** A page has at most 1 MB: a few large environments take more than one. */
export async function readPartition({ table, send }: Session, pk: string): Promise<Key[]> {
  const items: Key[] = [];
  let ExclusiveStartKey: Key | undefined;
  do {
    const query = new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": pk },
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const page = await send(query);
    items.push(...((page.Items ?? []) as Key[]));
    ExclusiveStartKey = page.LastEvaluatedKey as Key | undefined;
  } while (ExclusiveStartKey);
  return items;
}
