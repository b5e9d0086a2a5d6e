/** A call to the table in a world: what it does, what it reads or is answered, and what the checks see of it. */
import { checksOn } from "../checks.ts";
import type { Ledger } from "../ledger.ts";
import { type Response, respond } from "../table/calls.ts";
import type { Table } from "../table/table.ts";
import type { Item } from "../table/values.ts";
import { sortKeyOf } from "./describe.ts";
import type { Call } from "./history.ts";
import type { Attempt } from "./wish.ts";

export interface TableRules {
  /** Whether others may come between the items of a query. */
  isTorn: boolean;
  /** Whether a failed condition brings along the item that stood in its way, as on AWS. */
  showsOldItem: boolean;
}

/** One step of a call, or all of them where nobody may come between. */
export function perform(
  { table: before, ledger }: { table: Table; ledger: Ledger },
  call: Call,
  attempt: Attempt | undefined,
  seenBefore: readonly (Item | undefined)[] = [],
  { isTorn, showsOldItem }: TableRules,
) {
  const table = before.copy();
  const seen = [...seenBefore];
  let response: Response | undefined;
  do response = respond(table, call, seen);
  while (!response && !isTorn && !call.isWrite);
  if (response && !showsOldItem && "Item" in response.body && response.status === 400) {
    const { Item, ...body } = response.body;
    response = { ...response, body };
  }
  const checks = checksOn(ledger);
  const by = attempt ?? { name: "nobody" };
  for (const change of table.changes) checks.changed(change, by);
  const read = [call.input.Key as Item | undefined, ...seen.slice(seenBefore.length)];
  const hasReadEnvironment = read.some((item) => sortKeyOf(item).startsWith("ENVIRONMENT#"));
  if (hasReadEnvironment && !call.isWrite) checks.read(by);
  return { table: table.changes.length > 0 ? table : before, seen, response, ledger: checks.ledger() };
}
