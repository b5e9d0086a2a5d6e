/** Performs a call to the table: what it changes, what it reads, its response, and what the checks see of it. */
import { checksOn } from "../checks.ts";
import type { Ledger } from "../ledger.ts";
import { type Response, respond } from "../table/calls.ts";
import type { Table } from "../table/table.ts";
import type { Item } from "../table/values.ts";
import { sortKeyOf } from "./describe.ts";
import type { Call } from "./history.ts";
import type { Attempt } from "./wish.ts";

export interface TableRules {
  /** Whether other writes may come between the items of a query. */
  isTorn: boolean;
  /** Whether a failed condition returns the current item, as on AWS. */
  showsOldItem: boolean;
}

/** One step of a call, or all of them where no other write may come between. */
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
  const by = attempt ?? { name: "none" };
  for (const change of table.changes) checks.changed(change, by, call.number);
  const read = [call.input.Key as Item | undefined, ...seen.slice(seenBefore.length)];
  const hasReadEnvironment = read.some((item) => sortKeyOf(item).startsWith("ENVIRONMENT#"));
  if (hasReadEnvironment && !call.isWrite) checks.read(by);
  return { table: table.changes.length > 0 ? table : before, seen, response, ledger: checks.ledger() };
}
