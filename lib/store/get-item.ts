/** One item as it stands now. */
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Key } from "./items.ts";
import type { Session } from "./session.ts";

export async function getItem<Item extends Key>(
  { table, call }: Session,
  key: Key,
): Promise<Item | undefined> {
  const get = new GetCommand({ TableName: table, Key: key, ConsistentRead: true });
  const { Item } = await call((client, options) => client.send(get, options));
  return Item as Item | undefined;
}
