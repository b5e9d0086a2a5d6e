/** Stores an item, replacing any item with the same key. */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";

export async function putItem<Item extends Key>({ table, send }: Session, item: Item): Promise<void> {
  const command = new PutCommand({ TableName: table, Item: item });
  await send(command);
}
