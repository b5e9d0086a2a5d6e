/** Keeps an engine's tables in a folder, by LevelDB: all of them are read at the start, and each write is added. */
import { Engine, type Response, type Write } from "./engine.ts";
import type { Item } from "./expressions.ts";
import type { Definition } from "./table.ts";

export interface OpenEngine {
  /** Resolves once what the call has written is kept. */
  call(operation: string, input: object): Promise<Response>;
  close(): Promise<void>;
}

export function openInMemory(): OpenEngine {
  const engine = new Engine();
  return { call: async (operation, input) => engine.call(operation, input), close: async () => {} };
}

/** The folder has data that another engine wrote. */
export class OtherForm extends Error {}

type Stored = { definition: Definition } | Item;
type Change = { type: "put"; key: string; value: Stored } | { type: "del"; key: string };

export async function openFolder(folder: string): Promise<OpenEngine> {
  // Its native code is loaded only where there is a folder.
  const { ClassicLevel } = await import("classic-level");
  const level = new ClassicLevel<string, Stored>(folder, { valueEncoding: "json" });
  await level.open();
  const engine = new Engine();
  // The definitions of tables come before all items.
  for await (const [key, value] of level.iterator()) {
    if (!key.startsWith(definitions) && !key.startsWith(items)) {
      await level.close();
      throw new OtherForm();
    }
    const [table] = JSON.parse(key.slice(1));
    if (key.startsWith(definitions)) engine.create(table, (value as { definition: Definition }).definition);
    else engine.tables.get(table)?.set(value as Item, value as Item);
  }
  let waiting: Change[] = [];
  let kept: Promise<void> = Promise.resolve();

  /** Writes that arrive while others are being kept are kept together, in their order. */
  function keep(): Promise<void> {
    const changes = waiting;
    waiting = [];
    return changes.length > 0 ? level.batch(changes) : Promise.resolve();
  }

  return {
    async call(operation, input) {
      let isChanged = false;
      const add = (change: Change) => {
        isChanged = true;
        waiting.push(change);
      };
      const response = engine.call(operation, input, (write) => add(changeOf(write)));
      if (operation === "CreateTable" && response.status === 200) {
        const { TableName: name = "" } = input as { TableName?: string };
        add({
          type: "put",
          key: definitions + JSON.stringify([name]).slice(1),
          value: { definition: engine.tables.get(name)?.definition as Definition },
        });
      }
      if (isChanged) {
        kept = kept.then(keep);
        await kept;
      }
      return response;
    },
    async close() {
      await kept;
      await level.close();
    },
  };
}

/** How the keys of tables' definitions begin, and those of their items. */
const definitions = "1[";
const items = "2[";

function changeOf({ table, key, item }: Write): Change {
  const place =
    items +
    JSON.stringify([table, ...Object.values(key).map((value) => (value as { S: string }).S)]).slice(1);
  return item ? { type: "put", key: place, value: item } : { type: "del", key: place };
}
