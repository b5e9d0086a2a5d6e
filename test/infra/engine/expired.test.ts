/** The engine drops what has expired, as a table with a time to live does. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openFolder } from "../../../infra/engine/storage.ts";
import { newFolder } from "../clients/admin/command-line.ts";
import { schema } from "./schema.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-01") }));
afterEach(() => void vi.useRealTimers());

const day = 86_400;

async function fill(folder: string) {
  const engine = await openFolder(folder);
  await engine.call("CreateTable", { TableName: "written", ...schema });
  for (const days of [1, 40]) {
    const ttl = { N: String(Date.now() / 1000 + days * day) };
    const Item = { pk: { S: "expires" }, sk: { S: `${days}` }, ttl };
    await engine.call("PutItem", { TableName: "written", Item });
  }
  await engine.call("PutItem", { TableName: "written", Item: { pk: { S: "stays" }, sk: { S: "0" } } });
  return engine;
}

const read = async ({ call }: Awaited<ReturnType<typeof openFolder>>) => {
  const { body } = await call("Scan", { TableName: "written" });
  return (body.Items as { sk: { S: string } }[]).map(({ sk }) => sk.S);
};

it("when the folder is opened", async () => {
  const folder = newFolder().path;
  await (await fill(folder)).close();
  vi.setSystemTime(new Date("2026-01-31"));

  const engine = await openFolder(folder);
  expect(await read(engine)).toEqual(["40", "0"]);
  await engine.close();

  // It is dropped from the folder too.
  vi.setSystemTime(new Date("2026-01-01"));
  const reopened = await openFolder(folder);
  expect(await read(reopened)).toEqual(["40", "0"]);
  await reopened.close();
});

it("while it runs", async () => {
  const engine = await fill(newFolder().path);
  expect(await read(engine)).toEqual(["1", "40", "0"]);

  vi.setSystemTime(new Date("2026-03-01"));
  expect(await read(engine)).toEqual(["0"]);
  await engine.close();
});
