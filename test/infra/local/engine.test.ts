/** The embedded engine outlives bad clients, and keeps its data through its own end. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it, onTestFinished, vi } from "vitest";
import { type EmbeddedEngine, startEngine } from "../../../infra/local/engine.ts";
import { Refusal } from "../../../infra/refusal.ts";
import type { State } from "../../../infra/state/state.ts";
import { createTable, readTableDefinition } from "../../../infra/store/create-table.ts";
import { writeState } from "../../../infra/store/write-state.ts";
import { getItem, projectKey } from "../../../lib/store/items.ts";
import type { Session } from "../../../lib/store/session.ts";
import { startDynalite } from "../../support/dynalite.ts";
import { times } from "../../support/patching.ts";
import { openTable, settingsOf } from "../../support/table.ts";
import { newFolder } from "../admin/command-line.ts";

async function open(folder?: string): Promise<EmbeddedEngine> {
  const engine = await startEngine(folder, { program: pathToFileURL("dist/tools/engine-process.mjs") });
  onTestFinished(engine.stop);
  Object.assign(process.env, settingsOf(engine.endpoint));
  return engine;
}

async function newTable(): Promise<Session> {
  await createTable("burgee");
  return openTable("burgee");
}

const stateOf = (...projects: State["projects"]): State => ({ projects, features: [], apiKeys: [] });

it("goes on when clients disconnect in the middle of a request", async () => {
  const { endpoint } = await open();
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

it("merges what is written over and over, as a query would pass every old copy of it", async () => {
  const { folder } = await open();
  const session = await newTable();
  const environments = times(1000, (index) => `environment-${index}`);

  for (let write = 0; write < 20; write++)
    await writeState(session, stateOf({ id: "default", environments }));

  const merged = () => readdirSync(folder).filter((file) => file.endsWith(".ldb"));
  await expect.poll(merged).not.toEqual([]);
});

/** A program in place of the engine's. */
const fake = (source: string) => ({
  program: pathToFileURL(newFolder().file("engine.mjs", Buffer.from(source))),
});

it("reports that its process ended before it was ready, and leaves nothing behind", async () => {
  const broken = fake("process.exit(3)");
  const temporary = newFolder().path;
  vi.stubEnv("TMPDIR", temporary);

  const reason = "the DynamoDB engine did not start: its process ended (3)";
  await expect(startEngine(undefined, broken)).rejects.toThrow(new Refusal(reason));

  expect(readdirSync(temporary)).toEqual([]);
  vi.unstubAllEnvs();
});

it("has an active table and all its data when its process is killed right after a write, and ends this process", async () => {
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  const printed = vi.spyOn(console, "error").mockReturnValue();
  const data = newFolder().path;
  const first = await open(data);
  await writeState(await newTable(), stateOf({ id: "default", environments: [] }));
  await new DynamoDBClient().send(new CreateTableCommand({ ...readTableDefinition(), TableName: "late" }));

  process.kill(first.pid ?? 0, "SIGKILL");

  await expect.poll(() => exit.mock.calls).toEqual([[1]]);
  expect(printed.mock.calls).toEqual([["burgee: the DynamoDB engine: its process ended (SIGKILL)"]]);
  for (const spy of [exit, printed]) spy.mockRestore();
  await open(data);
  expect(await createTable("late")).toEqual({ isEmpty: true });
  expect(await getItem(openTable("burgee"), projectKey("default"))).toMatchObject({ id: "default" });
});

it("leaves nothing behind when its parent ends before it is ready", async () => {
  const { path: folder } = newFolder();
  const child = fork("dist/tools/engine-process.mjs", [folder, "temporary"]);

  child.disconnect();

  expect(await once(child, "exit")).toEqual([0, null]);
  expect(existsSync(folder)).toBe(false);
});

it("leaves nothing behind when it is stopped", async () => {
  const { folder, stop } = await open();
  expect(existsSync(folder)).toBe(true);

  stop();

  await expect.poll(() => existsSync(folder)).toBe(false);
});

it("returns the item that failed a condition, as AWS does: only if there is one, and it is asked for", async () => {
  await open();
  await newTable();
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
  const { endpoint, stop } = await startDynalite();
  Object.assign(process.env, settingsOf(endpoint));
  const session = await newTable();
  await writeState(session, stateOf(...["a", "b", "c"].map((id) => ({ id, environments: [] }))));
  const requireAsDynalite = createRequire(createRequire(import.meta.url).resolve("dynalite"));
  const { prototype } = requireAsDynalite("abstract-level").AbstractValueIterator;
  const next = vi.spyOn(prototype, "next");
  const close = vi.spyOn(prototype, "close");

  for (const Limit of [1, 2, 10]) await session.send(new ScanCommand({ TableName: "burgee", Limit }));

  const opened = new Set(next.mock.contexts);
  expect(opened.size).toBeGreaterThan(2);
  await expect.poll(() => [...opened].filter((one) => !close.mock.contexts.includes(one))).toEqual([]);
  for (const spy of [next, close]) spy.mockRestore();
  await stop();
});
