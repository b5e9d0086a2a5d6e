/** Reads the table by pages of 1 MB: one call for hundreds of features, instead of one for each. */
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { addItem, emptyStored, type Stored } from "./stored.ts";

interface Options {
  /** Scans the whole table for projects and keys, but does not transfer the features. */
  withoutFeatures: boolean;
  /** Called after each page with the number of items read so far. */
  onPage(items: number): void;
}

export async function readTable(
  { table, send }: Session,
  { withoutFeatures, onPage }: Options,
): Promise<Stored> {
  const stored = emptyStored();
  let ExclusiveStartKey: Key | undefined;
  let items = 0;
  do {
    const scan = new ScanCommand({
      TableName: table,
      ConsistentRead: true,
      ...(withoutFeatures && {
        FilterExpression: "NOT begins_with(pk, :feature)",
        ExpressionAttributeValues: { ":feature": "FEATURE#" },
      }),
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const page = await send(scan);
    for (const item of page.Items ?? []) addItem(stored, item as Key);
    items += page.ScannedCount ?? 0;
    onPage(items);
    ExclusiveStartKey = page.LastEvaluatedKey as Key | undefined;
  } while (ExclusiveStartKey);
  return stored;
}
