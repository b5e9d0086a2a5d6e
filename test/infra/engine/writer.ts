/** A program of tests: ten callers write items into a folder, and each acknowledged number is printed at once. */
import { writeSync } from "node:fs";
import { openFolder } from "../../../infra/engine/storage.ts";
import { schema } from "./schema.ts";

const [folder = "", first = "0"] = process.argv.slice(2);
const engine = await openFolder(folder);
await engine.call("CreateTable", { TableName: "written", ...schema });
let next = Number(first);

async function write(): Promise<void> {
  for (;;) {
    const number = next++;
    const Item = { pk: { S: String(number % 10) }, sk: { S: String(number) }, text: { S: "x".repeat(1000) } };
    const { status, body } = await engine.call("PutItem", { TableName: "written", Item });
    if (status !== 200) {
      writeSync(1, `${status} ${body.message}\n`);
      process.exit(1);
    }
    writeSync(1, `${number}\n`);
  }
}

await Promise.all(Array.from({ length: 10 }, write));
