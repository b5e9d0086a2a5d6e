/** Performs a call to the table: what it changes, what it reads, its response, and what the checks see of it. */
import type { EngineResponse } from "../../../infra/engine/refusals.ts";
import type { Item } from "../../../infra/engine/values.ts";
import { checksOn } from "../checks/checks.ts";
import type { Ledger } from "../checks/ledger.ts";
import { applyWrite, type ExploredTable, type Step, type TableWrite, takeStep } from "../table/table.ts";
import { digestOf, digestOfCall, digestOfTable, rememberedBy } from "./digest.ts";
import type { Call } from "./history.ts";
import type { Attempt } from "./intent.ts";

export interface TableRules {
  /** Whether other writes may come between the items of a query or a batch. */
  isTorn: boolean;
  /** Whether a failed condition returns the current item, as on AWS. */
  showsOldItem: boolean;
}

export interface Performed {
  table: ExploredTable;
  ledger: Ledger;
  /** By a query or a batch that is not complete. */
  seen: readonly Item[];
  response?: EngineResponse;
}

/** One step of a call, or all of them where no other write may come between. */
export function perform(
  { table, ledger }: { table: ExploredTable; ledger: Ledger },
  call: Call,
  attempt: Attempt,
  seenBefore: readonly Item[],
  rules: TableRules,
): Performed {
  const checks = checksOn(ledger);
  const { table: after, seen, writes, response } = take(table, call, seenBefore, rules);
  for (const write of writes) checks.wrote(write, attempt);
  const read = [call.input.Key as Item | undefined, ...seen.slice(seenBefore.length)];
  const hasReadEnvironment = read.some((item) => sortKeyOf(item).startsWith("ENVIRONMENT#"));
  // What was not there has not been read: the request may read it again.
  const isFound = call.operation !== "GetItem" || response?.body.Item !== undefined;
  if (hasReadEnvironment && isFound && !call.isWrite) checks.read(attempt, call.operation === "Query", table);
  if (call.operation === "GetItem" && sortKeyOf(read[0]) === "FEATURE") checks.readTags(attempt, table);
  if (!response) return { table: after, ledger: checks.ledger(), seen };
  return { table: after, ledger: checks.ledger(), seen: [], response };
}

interface Taken {
  table: ExploredTable;
  seen: readonly Item[];
  writes: readonly TableWrite[];
  response?: EngineResponse;
}

const takenOf = rememberedBy((_: ExploredTable) => new Map<string, Taken>());

/** Many schedules make the same call to the same table: it is performed once. */
function take(table: ExploredTable, call: Call, seenBefore: readonly Item[], rules: TableRules): Taken {
  const key = [digestOfCall(call), rules.isTorn, rules.showsOldItem, ...seenBefore.map(digestOf)].join(" ");
  const known = takenOf(table).get(key) ?? takeNow(table, call, seenBefore, rules);
  takenOf(table).set(key, known);
  return known;
}

function takeNow(
  table: ExploredTable,
  call: Call,
  seenBefore: readonly Item[],
  { isTorn, showsOldItem }: TableRules,
): Taken {
  const seen = [...seenBefore];
  const writes: TableWrite[] = [];
  let after = table;
  let step: Step;
  do {
    step = takeStep(after, call, seen);
    if ("seen" in step) seen.push(step.seen);
    const { write } = step;
    if (write) after = applyWrite(after, write);
    if (write && write.before !== write.after) writes.push(write);
  } while ("seen" in step && !isTorn);
  const taken = { table: sameTable(after), seen, writes };
  if ("seen" in step) return taken;
  return { ...taken, response: showsOldItem ? step.response : withoutItem(step.response) };
}

const tables = new Map<string, WeakRef<ExploredTable>>();

/** One table for each content, as long as a schedule has it. */
function sameTable(table: ExploredTable): ExploredTable {
  const content = digestOfTable(table);
  const known = tables.get(content)?.deref();
  if (!known) tables.set(content, new WeakRef(table));
  return known ?? table;
}

function withoutItem({ status, body }: EngineResponse): EngineResponse {
  const { Item, ...rest } = body;
  return { status, body: status === 200 ? body : rest };
}

export function sortKeyOf(item: Item | undefined): string {
  return item?.sk && "S" in item.sk ? item.sk.S : "an item";
}

export function describeResponse({ status, body }: EngineResponse): string {
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
