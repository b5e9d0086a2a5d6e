/** The embedded engine outlives bad clients, and does what AWS does where dynalite does not. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { startEngine } from "../../../infra/local/engine.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { writeState } from "../../../infra/store/write-state.ts";
import type { Session } from "../../../lib/store/session.ts";
import { startDynalite } from "../../support/dynalite.ts";
import { times } from "../../support/patching.ts";
import { openTable, settingsOf } from "../../support/table.ts";
import { newFolder } from "../admin/command-line.ts";

let endpoint: string;
let session: Session;

beforeEach(async () => {
  const engine = await startDynalite();
  endpoint = engine.endpoint;
  Object.assign(process.env, settingsOf(endpoint));
  await createTable("burgee");
  session = openTable("burgee");
  return engine.stop;
});

it("goes on when clients disconnect in the middle of a request", async () => {
  const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100";

  for (let client = 0; client < 10; client++) {
    const socket = connect(Number(new URL(endpoint).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`${head}\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n\r\nhalf`);
    await setTimeout(10);
    socket.resetAndDestroy();
  }

  expect(await createTable("burgee")).toEqual({ isEmpty: true });
});

it("merges what is written to a folder over and over, as a query would pass every old copy of it", async () => {
  const folder = newFolder().path;
  const engine = await startEngine(folder);
  onTestFinished(engine.stop);
  Object.assign(process.env, settingsOf(engine.endpoint));
  await createTable("burgee");
  const projects = [{ id: "default", environments: times(1000, (index) => `environment-${index}`) }];

  for (let write = 0; write < 20; write++)
    await writeState(openTable("burgee"), { projects, features: [], apiKeys: [] });

  const merged = () => readdirSync(`${folder}/dynamodb`).filter((file) => file.endsWith(".ldb"));
  await expect.poll(merged).not.toEqual([]);
});

it("returns the item that failed a condition, as AWS does: only if there is one, and it is asked for", async () => {
  const client = new DynamoDBClient();
  const Item = { pk: { S: "a" }, sk: { S: "b" }, bytes: { B: Buffer.from("c") } };
  const put = (input: object) => client.send(new PutItemCommand({ TableName: "burgee", Item, ...input }));
  const failing = {
    ConditionExpression: "sk = :other",
    ExpressionAttributeValues: { ":other": { S: "other" } },
  };
  const asking = { ...failing, ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
  const failure = { name: "ConditionalCheckFailedException", Item: undefined };

  await expect(put(asking)).rejects.toMatchObject(failure);
  await put({});
  await expect(put(failing)).rejects.toMatchObject(failure);
  await expect(put(asking)).rejects.toMatchObject({ ...failure, Item: { pk: { S: "a" }, sk: { S: "b" } } });
});

it("closes each iterator after a scan, whether it came to the end or not", async () => {
  const projects = ["a", "b", "c"].map((id) => ({ id, environments: [] }));
  await writeState(session, { projects, features: [], apiKeys: [] });
  const requireAsDynalite = createRequire(createRequire(import.meta.url).resolve("dynalite"));
  const { prototype } = requireAsDynalite("abstract-level").AbstractValueIterator;
  const next = vi.spyOn(prototype, "next");
  const close = vi.spyOn(prototype, "close");

  for (const Limit of [1, 2, 10]) await session.send(new ScanCommand({ TableName: "burgee", Limit }));

  const opened = new Set(next.mock.contexts);
  expect(opened.size).toBeGreaterThan(2);
  await expect.poll(() => [...opened].filter((one) => !close.mock.contexts.includes(one))).toEqual([]);
  for (const spy of [next, close]) spy.mockRestore();
});
