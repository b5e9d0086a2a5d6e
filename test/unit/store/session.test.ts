/** The deadline of a call: it ends a late call, and does not outlive one that was answered. */
import { setTimeout } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it, onTestFinished, vi } from "vitest";
import { openSession, type Session } from "../../../lib/store/session.ts";

const get = new GetCommand({ TableName: "burgee", Key: { pk: "a", sk: "b" } });

/** A session whose client does this in place of a call. */
function sessionWith(work: (signal: AbortSignal) => Promise<unknown>): Session {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: "eu-central-1" }));
  client.send = ((_: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
    work(abortSignal)) as typeof client.send;
  // 20 ms more than are reserved for the response.
  return openSession({ client, table: "burgee", remainingMs: () => 320 });
}

it("ends a late call, and leaves 300 ms for the response", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let isAborted = false;
  const late = sessionWith(async (signal) => {
    signal.addEventListener("abort", () => {
      isAborted = true;
    });
    await setTimeout(10_000, undefined, { signal });
  }).send(get);
  const ended = expect(late).rejects.toMatchObject({ name: "TemporarilyUnavailable" });

  vi.advanceTimersByTime(19);
  const before = isAborted;
  vi.advanceTimersByTime(1);

  expect([before, isAborted]).toEqual([false, true]);
  await ended;
});

it("does not abort a call that was answered, so that nothing keeps it in memory", async () => {
  const signals: AbortSignal[] = [];
  const session = sessionWith(async (signal) => {
    signals.push(signal);
    return { $metadata: {} };
  });

  await session.send(get);
  await setTimeout(60);

  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});
