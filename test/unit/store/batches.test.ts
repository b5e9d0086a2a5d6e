/** What a throttled table leaves unprocessed of a batch is sent again, after a pause. */
import type { BatchGetCommand, BatchWriteCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readItems, writeItems } from "../../../lib/store/dynamodb/batches.ts";
import { openSession, type Session } from "../../../lib/store/dynamodb/session.ts";
import { times } from "../../support/patching.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const keysOf = (count: number) => times(count, (index) => ({ pk: `${index}`, sk: "s" }));
const readAll = (session: Session) => readItems(session, keysOf(130));
const writeAll = (session: Session) =>
  writeItems(
    session,
    keysOf(30).map((Item) => ({ PutRequest: { Item } })),
  );

/** Calls a table that leaves as many of each batch unprocessed, in a session that has so much time. */
async function run<Result>(
  call: (session: Session) => Promise<Result>,
  leaves: readonly number[],
  remainingMs = 10_000,
) {
  const startedAt = performance.now();
  const batches: { at: number; size: number }[] = [];
  const client = {
    async send({ input: { RequestItems: { burgee = [] } = {} } }: BatchGetCommand | BatchWriteCommand) {
      const isWrite = Array.isArray(burgee);
      const parts: unknown[] = isWrite ? burgee : (burgee.Keys ?? []);
      const done = parts.length - (leaves[batches.length] ?? 0);
      batches.push({ at: performance.now() - startedAt, size: parts.length });
      const rest = parts.slice(done);
      if (isWrite) return { UnprocessedItems: rest.length > 0 ? { burgee: rest } : {} };
      const UnprocessedKeys = rest.length > 0 ? { burgee: { Keys: rest, ConsistentRead: true } } : {};
      return { Responses: { burgee: parts.slice(0, done) }, UnprocessedKeys };
    },
  } as unknown as DynamoDBDocumentClient;
  const session = openSession({ client, table: "burgee", remainingMs: () => remainingMs });
  const ended = call(session).catch((error: Error) => error);
  await vi.runAllTimersAsync();
  return { result: await ended, batches, lastedMs: performance.now() - startedAt, usage: session.usage };
}

it("sends batches one after the other, without a pause while all is processed", async () => {
  const { batches, usage } = await run(writeAll, []);

  expect(batches).toEqual([25, 5].map((size) => ({ at: 0, size })));
  expect(usage).toMatchObject({ calls: 2, sends: 2 });
});

it("sends what is left before the next batch, after pauses that grow, and counts it as throttled", async () => {
  const { batches, usage } = await run(writeAll, [3, 3, 0, 1]);

  expect(batches).toEqual([
    { at: 0, size: 25 },
    { at: 50, size: 3 },
    { at: 150, size: 3 },
    { at: 150, size: 5 },
    { at: 200, size: 1 },
  ]);
  expect(usage).toMatchObject({ calls: 2, sends: 5, throttling: new Set(["Unprocessed"]) });
});

it("returns the items of all batches, and of what was left of them", async () => {
  const { result, batches } = await run(readAll, [60, 1]);

  expect(result).toEqual(keysOf(130));
  expect(batches.map(({ size }) => size)).toEqual([100, 60, 1, 30]);
});

it("gives 503 before the deadline if something is left", async () => {
  const { result, lastedMs } = await run(
    writeAll,
    times(100, () => 1),
    1000,
  );

  expect(result).toMatchObject({ status: 503, cause: { name: "Unprocessed" } });
  expect(lastedMs).toBeLessThan(700);
});
