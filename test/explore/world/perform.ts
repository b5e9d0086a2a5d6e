/** Performs a call to the table: what it changes, what it reads, its response, and what the checks see of it. */

import type { Response } from "../../../infra/engine/refusals.ts";
import type { Item } from "../../../infra/engine/values.ts";
import { checksOn } from "../checks.ts";
import type { Ledger } from "../ledger.ts";
import { applyWrite, type Step, type Table, takeStep } from "../table/table.ts";
import type { Call } from "./history.ts";
import type { Attempt } from "./wish.ts";

export interface TableRules {
  /** Whether other writes may come between the items of a query or a batch. */
  isTorn: boolean;
  /** Whether a failed condition returns the current item, as on AWS. */
  showsOldItem: boolean;
}

export interface Performed {
  table: Table;
  ledger: Ledger;
  /** By a query or a batch that is not complete. */
  seen: readonly Item[];
  response?: Response;
}

/** One step of a call, or all of them where no other write may come between. */
export function perform(
  { table, ledger }: { table: Table; ledger: Ledger },
  call: Call,
  attempt: Attempt,
  seenBefore: readonly Item[],
  { isTorn, showsOldItem }: TableRules,
): Performed {
  const seen = [...seenBefore];
  const checks = checksOn(ledger);
  let after = table;
  let step: Step;
  do {
    step = takeStep(after, call, seen);
    if ("seen" in step) seen.push(step.seen);
    const { write } = step;
    if (write) after = applyWrite(after, write);
    if (write && write.before !== write.after) checks.wrote(write, attempt);
  } while ("seen" in step && !isTorn);
  const read = [call.input.Key as Item | undefined, ...seen.slice(seenBefore.length)];
  const hasReadEnvironment = read.some((item) => sortKeyOf(item).startsWith("ENVIRONMENT#"));
  if (hasReadEnvironment && !call.isWrite) checks.read(attempt, call.operation === "Query", table);
  if (call.operation === "GetItem" && sortKeyOf(read[0]) === "FEATURE") checks.readTags(attempt, table);
  if ("seen" in step) return { table: after, ledger: checks.ledger(), seen };
  const { response } = step;
  return {
    table: after,
    ledger: checks.ledger(),
    seen: [],
    response: showsOldItem ? response : withoutItem(response),
  };
}

function withoutItem({ status, body }: Response): Response {
  const { Item, ...rest } = body;
  return { status, body: status === 200 ? body : rest };
}

export function sortKeyOf(item: Item | undefined): string {
  return item?.sk && "S" in item.sk ? item.sk.S : "an item";
}

export function describeResponse({ status, body }: Response): string {
  if (status === 200) return "done";
  const type = String(body.__type);
  return type.endsWith("#ConditionalCheckFailedException") ? "its condition fails" : type;
}

type Input = Record<string, Record<string, { S?: string }>>;
type Batch = Record<string, { PutRequest?: { Item: Record<string, { S?: string }> } }[]>;

/** The call and the item that it is about, or the first of a batch. */
export function describeCall({ operation, input }: Call): string {
  const [Batched] = Object.values((input.RequestItems ?? {}) as Batch).flat();
  const { Key, Item = Batched?.PutRequest?.Item, ExpressionAttributeValues } = input as Input;
  const { pk = ExpressionAttributeValues?.[":pk"], sk }: Record<string, { S?: string }> = Key ?? Item ?? {};
  const item = [pk?.S?.replace(/(?<=^KEY#.{6}).*/, "..."), sk?.S].filter((part) => part !== undefined);
  return [operation, ...item].join(" ");
}
