/** The table before a scenario begins, written by the code that applies a state file. */
import type { State } from "../../infra/state/state.ts";
import { writeState } from "../../infra/store/write-state.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import { adminKey, feature, limitedKey } from "./requests.ts";
import { type Response, respond } from "./table/calls.ts";
import { createTable, type Table } from "./table/table.ts";
import type { Item } from "./table/values.ts";
import type { Script, Surroundings } from "./world/hands.ts";
import { catchCalls, deliver, startProcess } from "./world/process.ts";

export const tableName = "explored";

/** The first variant has the list to which every patch of the scenarios appends its id. */
export const variantsMarked = (mark: string): Variant[] => [
  {
    name: "a",
    weight: 1000,
    weightType: "variable",
    stickiness: "default",
    overrides: [{ contextName: "marks", values: [mark] }],
  },
];

export const seededVariants = variantsMarked("seed");

export function stateWith(environments: Readonly<Record<string, Variant[]>>): State {
  const names = Object.keys(environments);
  const lists = Object.entries(environments).map(([name, variants]) => [name, { variants }]);
  const permits = [
    { permission: "UPDATE_FEATURE_VARIANTS", project: "default" },
    { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", project: "default", environment: "dev" },
    { permission: "UPDATE_FEATURE", project: "default" },
  ] as const;
  return {
    projects: ["default", "other"].map((id) => ({ id, environments: names })),
    features: [{ name: feature, project: "default", tags: [], environments: Object.fromEntries(lists) }],
    apiKeys: [
      { name: "admin", key: adminKey, permissions: [{ permission: "ADMIN" }], disabled: false },
      { name: "limited", key: limitedKey, permissions: [...permits], disabled: false },
    ],
  };
}

export const seeded = (environments: readonly string[]): State =>
  stateWith(Object.fromEntries(environments.map((name) => [name, seededVariants])));

export async function storedOf(state: State): Promise<Table> {
  catchCalls();
  const table = createTable(tableName);
  const store: Script = async ({ operate, wait }) => {
    // Before any caller begins.
    wait(-60_000);
    await operate("seed", (session) => writeState(session, state));
  };
  await runAlone(store, table);
  return table.copy();
}

/** Each of its calls is performed at once. */
export async function runAlone(
  script: Script,
  table: Table,
  around: Partial<Surroundings> = {},
): Promise<void> {
  const open = () => {
    throw new Error("there are no handlers here");
  };
  const process = await startProcess("seed", script, {
    table: table.name,
    timeoutMs: 15_000,
    open,
    ...around,
  });
  while (!process.isDone) {
    const [[number, call] = []] = process.calls;
    if (process.failure !== undefined || number === undefined || !call)
      throw new Error(process.failure ?? "stuck");
    const seen: (Item | undefined)[] = [];
    let response: Response | undefined;
    do response = respond(table, call, seen);
    while (!response);
    await deliver(process, { call: number, ...response });
  }
}
