/** Deletes every item of a table, for tests that start over. */
import { BatchWriteCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Session } from "../../lib/store/session.ts";

const itemsPerBatch = 25;

export async function emptyTable({ table, send }: Session): Promise<void> {
  for (;;) {
    const scan = new ScanCommand({
      TableName: table,
      ConsistentRead: true,
      ProjectionExpression: "pk, sk",
      Limit: itemsPerBatch,
    });
    const { Items = [] } = await send(scan);
    if (Items.length === 0) return;
    const requests = Items.map((Key) => ({ DeleteRequest: { Key } }));
    await send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
  }
}
