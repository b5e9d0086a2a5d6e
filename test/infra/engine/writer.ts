/**
 * A program of tests: ten callers write items into a folder until a write is refused, and each acknowledged number is
 * printed at once. What is refused is printed too, also of a last call that is made after all others.
 */
import { writeSync } from "node:fs";
import { openFolder } from "../../../infra/engine/storage.ts";
import { schema } from "./schema.ts";

const [folder = "", first = "0"] = process.argv.slice(2);
const engine = await openFolder(folder);
await engine.call("CreateTable", { TableName: "written", ...schema });
let next = Number(first);

async function put(): Promise<boolean> {
  const number = next++;
  const Item = { pk: { S: String(number % 10) }, sk: { S: String(number) }, text: { S: "x".repeat(1000) } };
  const { status, body } = await engine.call("PutItem", { TableName: "written", Item });
  writeSync(1, status === 200 ? `${number}\n` : `${status} ${body.message}\n`);
  return status === 200;
}

async function putUntilRefused(): Promise<void> {
  while (await put());
}

await Promise.all(Array.from({ length: 10 }, putUntilRefused));
await put();
process.exit(1);
