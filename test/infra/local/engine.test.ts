/** The embedded engine does what AWS does and keeps a folder for one process. */
import path from "node:path";
import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { ClassicLevel } from "classic-level";
import { beforeEach, expect, it } from "vitest";
import { startEngine } from "../../../infra/local/engine.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { times } from "../../support/patching.ts";
import { settingsOf } from "../../support/table.ts";
import { newFolder, refused, runProcess } from "../clients/admin/command-line.ts";

beforeEach(async () => {
  const engine = await startEngine();
  Object.assign(process.env, settingsOf(engine.endpoint));
  await createTable("burgee");
  return engine.stop;
});

it("refuses a folder that dynalite wrote, and leaves it alone", async () => {
  const folder = newFolder().path;
  const level = new ClassicLevel(path.join(folder, "dynamodb"));
  await level.put("table~burgee", "{}");
  await level.close();

  expect(await runProcess(["--data", folder, "project", "list"])).toEqual(
    refused(
      `the data in ${folder} is of an earlier Burgee: export it with that, and apply the file to another folder`,
    ),
  );
  const reopened = new ClassicLevel(path.join(folder, "dynamodb"));
  expect(await reopened.keys().all()).toEqual(["table~burgee"]);
  await reopened.close();
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
