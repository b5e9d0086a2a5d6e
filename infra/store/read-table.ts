/** Reads the table by pages of 1 MB: one call for hundreds of features, instead of one for each. */
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { addItem, emptyStored, type Stored } from "./stored.ts";

/** `onPage` is called after each page with the number of items read so far. */
export async function readTable(
  { table, send }: Session,
  onPage: (items: number) => void = () => {},
): Promise<Stored> {
  const stored = emptyStored();
  let ExclusiveStartKey: Key | undefined;
  let items = 0;
  do {
    const scan = new ScanCommand({
      TableName: table,
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const page = await send(scan);
    for (const item of page.Items ?? []) addItem(stored, item as Key);
    items += page.Items?.length ?? 0;
    onPage(items);
    ExclusiveStartKey = page.LastEvaluatedKey as Key | undefined;
  } while (ExclusiveStartKey);
  return stored;
}
