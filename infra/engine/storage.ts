/** Keeps an engine's tables in a folder, by LevelDB: all of them are read at the start, and each change is added. */
import { existsSync } from "node:fs";
import type { ClassicLevel } from "classic-level";
import { Checksums, Damaged, hasData, hasDropped } from "./checksums.ts";
import type { Schema } from "./definition.ts";
import { Engine } from "./engine.ts";
import { type EngineResponse, Refused } from "./refusals.ts";
import { type TableChange, Tables } from "./tables.ts";
import type { Item } from "./values.ts";

export interface OpenEngine {
  /** Resolves once all that the response reports is stored. */
  call(operation: string, input: unknown): Promise<EngineResponse>;
  close(): Promise<void>;
}

export function openInMemory(): OpenEngine {
  const engine = new Engine();
  return { call: async (operation, input) => engine.call(operation, input), close: async () => {} };
}

/** The folder has data that another engine wrote. */
export class UnknownFormat extends Error {}

/** How the keys of tables begin, and those of items. In this order a table is read before its items. */
const keyPrefixes = { table: "1[", item: "2[" };

/** The key of the sum over all entries. It is read before them. */
const sumKey = "0";

type StoredValue = Schema | Item;
type LevelOperation = { type: "put"; key: string; value: string } | { type: "del"; key: string };
type Level = ClassicLevel<string, string>;

/** Writes are not synced to the disk: they survive the end of the process, and not that of the machine. */
export async function openFolder(folder: string): Promise<OpenEngine> {
  // Its native code is loaded only where there is a folder.
  const { ClassicLevel } = await import("classic-level");
  const hadData = existsSync(folder) && hasData(folder);
  const level: Level = new ClassicLevel<string, string>(folder, { valueEncoding: "utf8" });
  await level.open();
  const waiting: LevelOperation[] = [];
  const checksums = new Checksums();
  const tables = new Tables((change) => waiting.push(operationOf(change, checksums)));
  try {
    // LevelDB writes its log again without what it dropped. With this sum, later starts refuse the folder too.
    if (hasDropped(folder)) await level.put(sumKey, "dropped");
    await load(level, tables, checksums, hadData);
  } catch (error) {
    await level.close();
    throw error instanceof Refused ? new Damaged() : error;
  }
  const engine = new Engine(tables);
  let failure: Error | undefined;
  let keeping: Promise<void> = Promise.resolve();

  /** Writes all changes that have come by now together, in their order. */
  async function keep(): Promise<void> {
    const operations = waiting.splice(0);
    if (operations.length === 0 || failure) return;
    operations.push({ type: "put", key: sumKey, value: checksums.sum });
    await level.batch(operations).catch((error) => {
      failure = error.cause ?? error;
    });
  }

  return {
    async call(operation, input) {
      if (!failure) {
        const response = engine.call(operation, input);
        // A read waits too: it may have read a change that is not on disk yet.
        keeping = keeping.then(keep);
        await keeping;
        if (!failure) return response;
      }
      return failed(folder, failure);
    },
    async close() {
      await keeping;
      await level.close();
    },
  };
}

/** After a failed write the memory is ahead of the folder, so every later call fails. */
function failed(folder: string, { message }: Error): EngineResponse {
  const what = `the data in ${folder} could not be written; every call fails until a restart: ${message}`;
  return {
    status: 500,
    body: { __type: "com.amazonaws.dynamodb.v20120810#InternalServerError", message: what },
  };
}

async function load(level: Level, tables: Tables, checksums: Checksums, hadData: boolean): Promise<void> {
  let sum: string | undefined;
  const entries = level.iterator();
  for (let some = await entries.nextv(1000); some.length > 0; some = await entries.nextv(1000)) {
    for (const [key, text] of some) {
      if (key === sumKey) sum = text;
      else if (sum === undefined && text.startsWith("{")) throw new UnknownFormat();
      else tables.load(tableChangeOf(key, JSON.parse(checksums.open(key, text))));
    }
  }
  await entries.close();
  // A new folder has no sum, and no entries.
  const isNew = !hadData && sum === undefined;
  if (sum !== checksums.sum && !(isNew && checksums.isEmpty)) throw new Damaged();
}

function tableChangeOf(key: string, value: StoredValue): TableChange {
  const names = () => JSON.parse(key.slice(1));
  if (key.startsWith(keyPrefixes.table)) return { table: names()[0], schema: value as Schema };
  if (!key.startsWith(keyPrefixes.item)) throw new UnknownFormat();
  return { table: names()[0], key: value as Item, item: value as Item };
}

function operationOf(change: TableChange, checksums: Checksums): LevelOperation {
  const [key, value] = entryOf(change);
  if (value) return { type: "put", key, value: checksums.seal(key, JSON.stringify(value)) };
  checksums.remove(key);
  return { type: "del", key };
}

function entryOf(change: TableChange): [key: string, value: StoredValue | undefined] {
  if ("schema" in change) return [keyPrefixes.table + JSON.stringify([change.table]).slice(1), change.schema];
  const parts = Object.values(change.key).map((value) => Object.values(value)[0]);
  return [keyPrefixes.item + JSON.stringify([change.table, ...parts]).slice(1), change.item];
}
