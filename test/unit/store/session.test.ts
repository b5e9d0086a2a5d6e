/** A call's time: it ends a call that is late, and is over with one that is not. */

import { setTimeout } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { openSession } from "../../../lib/store/session.ts";

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: "eu-central-1" }));
const session = openSession({ client, table: "burgee", remainingMs: () => 20, marginMs: 0 });

it("ends a call that is late", async () => {
  const late = session.call((_, { abortSignal }) => setTimeout(10_000, undefined, { signal: abortSignal }));

  await expect(late).rejects.toMatchObject({ name: "TemporarilyUnavailable" });
});

it("is over with a call that is answered, so that nothing keeps it in memory", async () => {
  const signal = await session.call(async (_, { abortSignal }) => abortSignal);

  await setTimeout(60);

  expect(signal.aborted).toBe(false);
});
