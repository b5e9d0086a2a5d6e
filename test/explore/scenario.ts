/** What a scenario is made of, and its beginning. */
import { marshall } from "@aws-sdk/util-dynamodb";
import type { State } from "../../infra/state/state.ts";
import type { Handler } from "../../lib/http/handler.ts";
import { environmentKey, queueKey } from "../../lib/store/items.ts";
import { checksOn } from "./checks.ts";
import { emptyLedger } from "./ledger.ts";
import { feature } from "./requests.ts";
import { seeded, storedOf, tableName } from "./seed.ts";
import type { Item } from "./table/values.ts";
import type { Script } from "./world/hands.ts";
import { createHistories, type Local } from "./world/history.ts";
import { type Budget, type Fault, faults, follow, type Rules, type World } from "./world/world.ts";

export interface Scenario {
  name: string;
  state: State;
  scripts: Readonly<Record<string, Script>>;
  faults: readonly Fault[];
  /** Callers whose last attempt must receive 200, whatever the faults. */
  succeed?: readonly string[];
  /** The last ticket of a queue in dev whose callers were killed. */
  lastTicket?: number;
  /** Whether idempotency records of dev have moved before. */
  hasMovedRecords?: boolean;
  /** Whether other writes may come between the items of a query. */
  isTorn?: boolean;
  /** The time that an invocation has. */
  timeoutMs?: number;
  /** Whether a failed condition returns the current item, as on AWS. */
  showsOldItem?: boolean;
  /** Whether an operator adds, changes or removes API keys. */
  changesKeys?: boolean;
}

export function scenario(
  name: string,
  environments: readonly string[],
  scripts: Readonly<Record<string, Script>>,
  rest: Partial<Scenario> = {},
): Scenario {
  return { name, scripts, faults, state: seeded(environments), ...rest };
}

export interface Bounded extends Scenario {
  /** The most faults in one schedule, and the most switches away from a process that could proceed. */
  bounds: Budget;
}

export type Open = (name: "tags" | "variants") => Handler;

export interface Beginning {
  world: World;
  rules: Rules;
}

export async function begin(scenario: Bounded, open: Open, isWhole = false): Promise<Beginning> {
  const {
    state,
    scripts,
    bounds,
    isTorn = false,
    showsOldItem = true,
    lastTicket,
    timeoutMs = 15_000,
  } = scenario;
  const table = (await storedOf(state)).copy();
  if (lastTicket !== undefined) {
    const key = queueKey(feature, "dev");
    table.set(key, marshall({ ...key, lastTicket }) as Item);
  }
  if (scenario.hasMovedRecords) {
    const key = environmentKey(feature, "dev");
    table.set(key, { ...table.get(key), hasMovedRecords: { BOOL: true } } as Item);
  }
  const histories = createHistories(scripts, { table: tableName, timeoutMs, open }, isWhole);
  const locals: Local[] = [];
  const checks = checksOn(emptyLedger);
  for (const name of Object.keys(scripts)) {
    const local = await histories.begin(name);
    follow(checks, local, undefined, table);
    locals.push(local);
  }
  const world = {
    table,
    locals,
    seen: {},
    strays: [],
    ledger: checks.ledger(),
    last: undefined,
    left: bounds,
  };
  return { world, rules: { histories, isTorn, showsOldItem } };
}
