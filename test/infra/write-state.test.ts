/** Writes batches of items: DynamoDB may leave some of a batch unprocessed, as when it throttles. */
import type { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { replaceItems } from "../../infra/store/write-state.ts";
import type { Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { times } from "../support/patching.ts";

it("sends the items that were left unprocessed again, until there are none", async () => {
  const items = times(60, (index) => ({ pk: `item-${index}`, sk: "" }));
  const stored: Key[] = [];
  /** Stores all but the last three items of a batch, unless it has no more. */
  const send = async ({ input: { RequestItems: { table = [] } = {} } }: BatchWriteCommand) => {
    const count = Math.max(table.length - 3, 3);
    stored.push(...table.slice(0, count).map(({ PutRequest }) => PutRequest?.Item as Key));
    const rest = table.slice(count);
    return rest.length > 0 ? { UnprocessedItems: { table: rest } } : {};
  };

  await replaceItems({ table: "table", send: send as unknown as Session["send"] } as Session, items);

  expect(stored.toSorted((left, right) => items.indexOf(left) - items.indexOf(right))).toEqual(items);
});
