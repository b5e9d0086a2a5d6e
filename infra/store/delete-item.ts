/** Takes an item out of the table; one that is gone already is fine. */
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import type { Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";

export async function deleteItem({ table, call }: Session, { pk, sk }: Key): Promise<void> {
  const command = new DeleteCommand({ TableName: table, Key: { pk, sk } });
  await call((client, options) => client.send(command, options));
}
