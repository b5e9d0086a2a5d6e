/**
 * Writes and reads items in batches. The part that DynamoDB leaves unprocessed (throttled, or beyond 16 MB) is sent again
 * after a pause.
 */
import { BatchGetCommand, BatchWriteCommand, type BatchWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { AnyItem, TableKey } from "../items/items.ts";
import { Unprocessed } from "./failures.ts";
import type { Session } from "./session.ts";

type WriteRequest = NonNullable<BatchWriteCommandInput["RequestItems"]>[string][number];

const writesPerBatch = 25;
const tableKeysPerBatch = 100;

export function putItems(session: Session, items: readonly AnyItem[]): Promise<void> {
  return writeItems(
    session,
    items.map((Item) => ({ PutRequest: { Item } })),
  );
}

/** Puts and deletes items, none of them twice. */
export async function writeItems(session: Session, writes: readonly WriteRequest[]): Promise<void> {
  const { table } = session;
  await sendInBatches(session, writes, writesPerBatch, async (batch, sendOnce) => {
    const { UnprocessedItems } = await sendOnce(new BatchWriteCommand({ RequestItems: { [table]: batch } }));
    return UnprocessedItems?.[table] ?? [];
  });
}

export async function readItems<Item extends TableKey>(
  session: Session,
  tableKeys: readonly TableKey[],
): Promise<Item[]> {
  const { table } = session;
  const items: Item[] = [];
  await sendInBatches(session, tableKeys, tableKeysPerBatch, async (Keys, sendOnce) => {
    const RequestItems = { [table]: { Keys, ConsistentRead: true } };
    const { Responses, UnprocessedKeys } = await sendOnce(new BatchGetCommand({ RequestItems }));
    items.push(...((Responses?.[table] ?? []) as Item[]));
    return (UnprocessedKeys?.[table]?.Keys ?? []) as TableKey[];
  });
  return items;
}

/** `sendBatch` returns what DynamoDB left unprocessed. */
async function sendInBatches<Part>(
  { perform }: Session,
  parts: readonly Part[],
  batchSize: number,
  sendBatch: (batch: Part[], sendOnce: Session["call"]) => Promise<Part[]>,
): Promise<void> {
  for (let from = 0; from < parts.length; from += batchSize) {
    let rest = parts.slice(from, from + batchSize);
    await perform(async (sendOnce) => {
      rest = await sendBatch(rest, sendOnce);
      if (rest.length > 0) throw new Unprocessed();
    });
  }
}

/** Concurrent calls: fewer than the SDK's 50 connections, so that no call times out while it waits for a connection. */
export const concurrency = 40;

export async function inParallel<Input, Output>(
  inputs: readonly Input[],
  work: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const outputs: Output[] = [];
  for (let start = 0; start < inputs.length; start += concurrency) {
    outputs.push(...(await Promise.all(inputs.slice(start, start + concurrency).map(work))));
  }
  return outputs;
}
