/** Reads the table by pages of 1 MB: a call for hundreds of features, not one for each. */
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { addItem, emptyStored, type Stored } from "./stored.ts";

interface Options {
  /** Projects and keys are few. The whole table is looked through for them, but the features stay there. */
  withoutFeatures?: boolean;
  /** Told after each page, how many items were read so far. */
  onPage?: (items: number) => void;
}

export async function readTable(
  { table, call }: Session,
  { withoutFeatures = false, onPage }: Options = {},
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
    const page = await call((client, options) => client.send(scan, options));
    for (const item of page.Items ?? []) addItem(stored, item as Key);
    items += page.ScannedCount ?? 0;
    onPage?.(items);
    ExclusiveStartKey = page.LastEvaluatedKey as Key | undefined;
  } while (ExclusiveStartKey);
  return stored;
}
