/** Defines what a scenario is made of, and begins it. */
import type { State } from "../../../infra/state/state-file-schemas.ts";
import { checksOn } from "../checks/checks.ts";
import { emptyLedger } from "../checks/ledger.ts";
import type { Script } from "../world/driver.ts";
import { createHistories, type Local } from "../world/history.ts";
import { type Fault, faults, follow, type Rules, type World } from "../world/world.ts";
import { type SeedItem, seeded, storedOf } from "./seed.ts";

export interface Scenario {
  name: string;
  state: State;
  scripts: Readonly<Record<string, Script>>;
  faults: readonly Fault[];
  /** In one schedule: as many as can be explored completely in half a minute. */
  mostFaults: number;
  /** In one schedule, where all of them are too many. */
  mostPreemptions?: number;
  /** Whether it takes long. Then it begins first, so that the others fill the other processors, and --quick leaves it out. */
  isLong?: boolean;
  /** Whether no write drops a change. Then the number of changes that an environment carries decides nothing. */
  dropsNone?: boolean;
  /** Callers whose last attempt must receive 200, whatever the faults. */
  succeed?: readonly string[];
  /** Added to the items of the state. */
  stored?: readonly SeedItem[];
  /** Whether other writes may come between the items of a query or a batch. */
  isTorn?: boolean;
  /** Whether a failed condition returns the current item, as on AWS. */
  showsOldItem?: boolean;
}

/** Faults after which a caller cannot know whether its write was stored. */
export const unclear: readonly Fault[] = ["response-lost", "late", "killed"];

export function scenario(
  name: string,
  environments: readonly string[],
  scripts: Readonly<Record<string, Script>>,
  rest: Partial<Scenario> = {},
): Scenario {
  return { name, scripts, faults, mostFaults: 2, state: seeded(environments), ...rest };
}

export interface Beginning {
  world: World;
  rules: Rules;
}

export async function begin(
  scenario: Scenario,
  { mostFaults, isWhole = false }: { mostFaults: number; isWhole?: boolean },
): Promise<Beginning> {
  const { state, scripts, isTorn = false, showsOldItem = true, stored } = scenario;
  const table = await storedOf(state, stored);
  const histories = createHistories(scripts, isWhole);
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
    faultsLeft: mostFaults,
    length: 0,
  };
  return { world, rules: { histories, isTorn, showsOldItem } };
}
