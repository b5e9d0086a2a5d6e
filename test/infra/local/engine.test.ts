/** The embedded engine does what AWS does where dynalite does not. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { startEngine } from "../../../infra/local/engine.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { writeState } from "../../../infra/store/write-state.ts";
import { startDynalite } from "../../support/dynalite.ts";
import { times } from "../../support/patching.ts";
import { openTable, settingsOf } from "../../support/table.ts";
import { done, newFolder, runProcess } from "../admin/command-line.ts";

beforeEach(async () => {
  const engine = await startDynalite();
  Object.assign(process.env, settingsOf(engine.endpoint));
  await createTable("burgee");
  return engine.stop;
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

it("opens a folder whose table was not activated before a kill", async () => {
  const folder = newFolder().path;
  const program = `const server = require("dynalite")({ path: process.argv[1], createTableMs: 2 ** 31 - 1 });
    server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;
  const killed = spawn(process.execPath, ["-e", program, path.join(folder, "dynamodb")]);
  const [port] = await once(killed.stdout, "data");
  const client = new DynamoDBClient({ endpoint: `http://127.0.0.1:${Number(port)}` });
  const { template } = parse(readFileSync("infra/aws/core.yml", "utf8"));
  const { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } =
    template.Resources.Table.Properties;
  const [{ OnDemandThroughput, ...index }] = GlobalSecondaryIndexes;
  const definition = { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes: [index] };
  await client.send(new CreateTableCommand({ TableName: "burgee", ...definition }));
  killed.kill("SIGKILL");
  await once(killed, "close");

  expect(await runProcess(["--data", folder, "project", "list"])).toEqual({
    ...done("There are no projects.\n"),
    err: 'The table "burgee" is empty.\n',
  });
});

it("counts the bytes of an item, as AWS does", async () => {
  const client = new DynamoDBClient();
  const put = (text: string) =>
    client.send(
      new PutItemCommand({
        TableName: "burgee",
        Item: { pk: { S: "a" }, sk: { S: "b" }, text: { S: text } },
      }),
    );

  await put("é".repeat(204_000));
  await expect(put("é".repeat(205_000))).rejects.toMatchObject({ name: "ValidationException" });
});

it("opens a folder for one engine at a time, and refuses the others as they start", async () => {
  const folder = newFolder().path;
  const inUse = { reason: { message: expect.stringContaining("is in use by another process") } };

  for (let round = 0; round < 5; round++) {
    const starts = await Promise.allSettled(times(4, () => startEngine(folder)));
    const engines = starts.flatMap((start) => (start.status === "fulfilled" ? start.value : []));
    await Promise.all(engines.map(({ stop }) => stop()));

    expect(engines).toHaveLength(1);
    expect(starts.filter(({ status }) => status === "rejected")).toMatchObject([inUse, inUse, inUse]);
  }
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
