/** A folder that was damaged opens with what was acknowledged at some time, or is refused, each time. */
import { cpSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { openFolder } from "../../infra/engine/storage.ts";
import { openEngine } from "../../infra/local/engine.ts";
import { newFolder } from "../infra/clients/admin/command-line.ts";
import { schema } from "../infra/engine/schema.ts";

const whole = path.join(newFolder().path, "dynamodb");
/** All that the table had after each call. */
const acknowledged = new Set<string>();

const read = async (folder: string) => {
  const engine = await openFolder(folder);
  try {
    const { body } = await engine.call("Scan", { TableName: "written" });
    return JSON.stringify(body.Items);
  } finally {
    await engine.close();
  }
};

/** In two sessions: LevelDB writes a table as a folder is opened again, and compacts four, where damage can end the process. */
beforeAll(async () => {
  for (let session = 0; session < 2; session++) {
    const engine = await openFolder(whole);
    if (session === 0) await engine.call("CreateTable", { TableName: "written", ...schema });
    for (let index = 0; index < 120; index++) {
      const key = { pk: { S: `${index % 7}` }, sk: { S: `${(index * (session + 3)) % 50}` } };
      const text = { S: `${session} ${index} `.repeat(60) };
      const call = index % 5 === 4 ? "DeleteItem" : "PutItem";
      const input = call === "PutItem" ? { Item: { ...key, text } } : { Key: key };
      expect((await engine.call(call, { TableName: "written", ...input })).status).toBe(200);
      const { body } = await engine.call("Scan", { TableName: "written" });
      acknowledged.add(JSON.stringify(body.Items));
    }
    await engine.close();
  }
  expect(readdirSync(whole).some((file) => file.endsWith(".ldb"))).toBe(true);
});

it("opens empty after a kill that tears the first batch, wherever it does", async () => {
  const first = path.join(newFolder().path, "dynamodb");
  const engine = await openFolder(first);
  await engine.call("CreateTable", { TableName: "written", ...schema });
  await engine.close();
  const log = readdirSync(first).find((file) => file.endsWith(".log")) as string;
  const { size } = statSync(path.join(first, log));

  expect(size).toBeGreaterThan(100);
  for (let at = 0; at < size; at += 7) {
    const torn = path.join(newFolder().path, "dynamodb");
    cpSync(first, torn, { recursive: true });
    truncateSync(path.join(torn, log), at);
    const opened = await openFolder(torn);
    expect((await opened.call("ListTables", {})).body).toEqual({ TableNames: [] });
    await opened.close();
  }
});

/** Mulberry32, so that a failure can be repeated. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function damage(folder: string, random: () => number): string {
  const files = readdirSync(folder).filter((file) => /\.(ldb|log)$/.test(file));
  const file = path.join(folder, files[Math.floor(random() * files.length)] as string);
  const bytes = readFileSync(file);
  const at = Math.floor(random() * bytes.length);
  const kind = ["flip", "cut", "zeros"][Math.floor(random() * 3)];
  if (kind === "cut") truncateSync(file, at);
  else {
    if (kind === "flip") bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8));
    else bytes.fill(0, at, Math.min(at + 4096, bytes.length));
    writeFileSync(file, bytes);
  }
  return `${kind} at ${at} of ${path.basename(file)} (${statSync(file).size} bytes)`;
}

it("opens 200 damaged folders rightly or not at all, and a second time alike", async () => {
  const wrong: string[] = [];
  let refused = 0;
  for (let seed = 0; seed < 200; seed++) {
    const folder = path.join(newFolder().path, "dynamodb");
    cpSync(whole, folder, { recursive: true });
    const what = damage(folder, randomOf(seed));
    const first = await read(folder).catch(() => "refused");
    const second = await read(folder).catch(() => "refused");
    if (first === "refused") refused++;
    else if (!acknowledged.has(first)) wrong.push(`${seed}: ${what}`);
    if (first !== second) wrong.push(`${seed}: ${what}, the second time`);
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(100);
});

it("opens a folder whose last batch a kill has torn, without that batch", async () => {
  const folder = path.join(newFolder().path, "dynamodb");
  cpSync(whole, folder, { recursive: true });
  const log = path.join(folder, readdirSync(folder).find((file) => file.endsWith(".log")) as string);
  truncateSync(log, statSync(log).size - 10);

  expect(acknowledged).toContain(await read(folder));
});

it("says that the folder is damaged", async () => {
  const { path: folder } = newFolder();
  const data = path.join(folder, "dynamodb");
  cpSync(whole, data, { recursive: true });
  const log = path.join(data, readdirSync(data).find((file) => file.endsWith(".log")) as string);
  writeFileSync(log, readFileSync(log).fill(0, 5000, 9000));

  await expect(openEngine(folder)).rejects.toThrow(
    `the data in ${folder} is damaged: parts are missing or wrong; use a whole copy of it`,
  );
});
