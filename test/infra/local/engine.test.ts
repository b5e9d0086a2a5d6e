/** The embedded engine outlives bad clients and its own end. */
import { existsSync, readdirSync } from "node:fs";
import { connect } from "node:net";
import { pathToFileURL } from "node:url";
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { afterEach, expect, it } from "vitest";
import { type EmbeddedEngine, startEngine } from "../../../infra/local/engine.ts";
import { readTableDefinition } from "../../../infra/local/table.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { writeState } from "../../../infra/store/write-state.ts";
import { createClient } from "../../../lib/store/client.ts";
import { getItem } from "../../../lib/store/get-item.ts";
import { projectKey } from "../../../lib/store/items.ts";
import { openSession } from "../../../lib/store/session.ts";

const program = pathToFileURL("dist/tools/engine-process.mjs");

let engine: EmbeddedEngine;
afterEach(() => engine.stop());

async function open(): Promise<void> {
  engine = await startEngine(undefined, { program });
  Object.assign(process.env, {
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
  });
}

it("goes on when clients disconnect in the middle of a request", async () => {
  await open();
  const pid = engine.pid();

  for (let client = 0; client < 10; client++) {
    const socket = connect(Number(new URL(engine.endpoint).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n\r\nhalf",
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
    socket.resetAndDestroy();
  }

  expect(await createTable("burgee", readTableDefinition())).toEqual({ isEmpty: true });
  expect(engine.pid()).toBe(pid);
});

it("starts again with all its data when its process ends", async () => {
  await open();
  await createTable("burgee", readTableDefinition());
  const session = openSession({ client: createClient(), table: "burgee", remainingMs: () => 10_000 });
  await writeState(session, { projects: [{ id: "default", environments: [] }], features: [], apiKeys: [] });
  const pid = engine.pid() ?? 0;

  process.kill(pid, "SIGKILL");
  await expect.poll(() => engine.pid()).not.toBe(pid);

  expect(await getItem(session, projectKey("default"))).toMatchObject({ id: "default" });
});

it("has an active table when its process ends right after creating it", async () => {
  await open();
  const { BillingMode, AttributeDefinitions, KeySchema } = readTableDefinition();
  const definition = { BillingMode, AttributeDefinitions, KeySchema, TableName: "burgee" };
  const pid = engine.pid() ?? 0;

  await new DynamoDBClient({}).send(new CreateTableCommand(definition));
  process.kill(pid, "SIGKILL");
  await expect.poll(() => engine.pid()).not.toBe(pid);

  const client = new DynamoDBClient({ maxAttempts: 10 });
  const { Table } = await client.send(new DescribeTableCommand({ TableName: "burgee" }));
  expect(Table?.TableStatus).toBe("ACTIVE");
});

it("merges what is written over and over, as a query would pass every old copy of it", async () => {
  await open();
  await createTable("burgee", readTableDefinition());
  const session = openSession({ client: createClient(), table: "burgee", remainingMs: () => 10_000 });
  const environments = Array.from({ length: 1000 }, (_, index) => `environment-${index}`);

  for (let write = 0; write < 20; write++) {
    await writeState(session, { projects: [{ id: "default", environments }], features: [], apiKeys: [] });
  }

  const merged = () => readdirSync(engine.folder).filter((file) => file.endsWith(".ldb"));
  await expect.poll(merged).not.toEqual([]);
});

it("leaves nothing behind when it is stopped", async () => {
  await open();
  const { folder } = engine;
  expect(existsSync(folder)).toBe(true);

  engine.stop();

  await expect.poll(() => existsSync(folder)).toBe(false);
});

it("returns the item that failed a condition, as AWS does: only if there is one, and it is asked for", async () => {
  await open();
  await createTable("burgee", readTableDefinition());
  const client = new DynamoDBClient();
  const Item = { pk: { S: "a" }, sk: { S: "b" }, bytes: { B: Buffer.from("c") } };
  const put = (input: Partial<PutItemCommandInput>) =>
    client.send(new PutItemCommand({ TableName: "burgee", Item, ...input }));
  const failing = {
    ConditionExpression: "sk = :other",
    ExpressionAttributeValues: { ":other": { S: "other" } },
  };
  const asking = { ...failing, ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const };
  const failure = { name: "ConditionalCheckFailedException", Item: undefined };

  await expect(put(asking)).rejects.toMatchObject(failure);
  await put({});
  await expect(put(failing)).rejects.toMatchObject(failure);
  await expect(put(asking)).rejects.toMatchObject({ ...failure, Item: { pk: { S: "a" }, sk: { S: "b" } } });
});
