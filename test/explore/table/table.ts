/**
 * The table that is explored: its items by place, never changed, and a call step by step, as other calls may come between.
 * What a step does to an item is decided by the engine that serves Burgee on a machine.
 */
import { tableDefinition } from "../../../infra/build/deployment.mjs";
import { entriesOf, mostReads, mostWrites, requireDistinct } from "../../../infra/engine/batches.ts";
import {
  type BatchGetCall,
  type BatchWriteCall,
  checkCall,
  type PageCall,
  type WriteCall,
} from "../../../infra/engine/calls.ts";
import { type Schema, toDefinition } from "../../../infra/engine/definition.ts";
import { readKeyCondition } from "../../../infra/engine/pages.ts";
import { type EngineResponse, NotUnderstood, responseOf } from "../../../infra/engine/refusals.ts";
import { compareText, type Item, itemBytes } from "../../../infra/engine/values.ts";
import { batchWrite, type Write, write } from "../../../infra/engine/writes.ts";

/** Never changed: a write makes another. By `addressOf` of the items. */
export type ExploredTable = ReadonlyMap<string, Item>;

export interface Key {
  pk: string;
  sk: string;
}

export const addressOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

export type Input = Readonly<Record<string, unknown>>;

export interface TableCall {
  operation: string;
  input: Input;
}

export interface TableWrite {
  key: Key;
  before: Item | undefined;
  after: Item | undefined;
}

/**
 * What one atomic step of a call results in: an item that a query has seen or a batch has put, after which other writes may
 * come, or the response.
 */
export type Step = ({ seen: Item } | { response: EngineResponse }) & { write?: TableWrite };

/** A query is explored as one page, far below the 1 MB at which DynamoDB ends one. */
const mostBytes = 20_000;
const definition = toDefinition(tableDefinition as Schema);

/** The next step of a call that has seen these items. */
export function takeStep(
  table: ExploredTable,
  { operation, input }: TableCall,
  seen: readonly Item[] = [],
): Step {
  checkCall(operation, input);
  switch (operation) {
    case "GetItem": {
      requireConsistent(input);
      const item = table.get(addressOf(keyOf(input.Key as Item)));
      return { response: { status: 200, body: item ? { Item: item } : {} } };
    }
    case "BatchGetItem":
      return { response: responseOf(() => batch(table, input as unknown as BatchGetCall)) };
    case "BatchWriteItem":
      return putNext(table, input as unknown as BatchWriteCall, seen);
    case "Query":
      return query(table, input as unknown as PageCall, seen);
    case "PutItem":
    case "UpdateItem":
    case "DeleteItem":
      return writeItem(table, operation, input as unknown as WriteCall);
    default:
      throw new NotUnderstood(`${operation} while it is explored`);
  }
}

/** A read that is not consistent may return an old item; Burgee makes none of what is explored. */
function requireConsistent({ ConsistentRead }: { ConsistentRead?: unknown }): void {
  if (ConsistentRead !== true) throw new NotUnderstood("a read that is not consistent");
}

/** Reads items that never change, so that it does not matter when each is read. */
function batch(table: ExploredTable, { RequestItems }: BatchGetCall): EngineResponse["body"] {
  const responses = Object.entries(RequestItems).map(([name, { Keys, ...options }]) => {
    requireConsistent(options);
    entriesOf({ [name]: Keys }, mostReads);
    return [name, Keys.map((key) => table.get(addressOf(keyOf(key)))).filter((item) => item !== undefined)];
  });
  return { Responses: Object.fromEntries(responses), UnprocessedKeys: {} };
}

/** The first that is not seen yet: each is put on its own. */
function putNext(table: ExploredTable, { RequestItems }: BatchWriteCall, seen: readonly Item[]): Step {
  let step: Step | undefined;
  const response = responseOf(() => {
    const writes = entriesOf(RequestItems, mostWrites).map(([name, request]) => {
      if (!request.PutRequest) throw new NotUnderstood("a batch that deletes");
      return [name, batchWrite(definition, request, (key) => table.get(addressOf(keyOf(key))))] as const;
    });
    requireDistinct(writes.map(([name, { key }]) => [name, key]));
    const [, next] = writes[seen.length] ?? [];
    if (!next?.after) throw new NotUnderstood("a batch after its end");
    const written = toWrite(next);
    if (seen.length + 1 < writes.length) step = { seen: next.after, write: written };
    else step = { response: { status: 200, body: { UnprocessedItems: {} } }, write: written };
    return {};
  });
  return step ?? { response };
}

/** All in one page. */
function query(table: ExploredTable, input: PageCall, seen: readonly Item[]): Step {
  requireConsistent(input);
  const { IndexName, ProjectionExpression, Limit, ExclusiveStartKey } = input;
  if ([IndexName, ProjectionExpression, Limit, ExclusiveStartKey].some((member) => member !== undefined))
    throw new NotUnderstood("a query of an index or of pages");
  const { partition, after } = readKeyCondition(definition, input);
  const last = seen.at(-1);
  const from = last ? keyOf(last).sk : after;
  const [next] = [...table.values()]
    .filter((item) => keyOf(item).pk === partition)
    .filter((item) => from === undefined || compareText(keyOf(item).sk, String(from)) > 0)
    .sort((one, other) => compareText(keyOf(one).sk, keyOf(other).sk));
  if (next) return { seen: next };
  return { response: { status: 200, body: { Items: seen, Count: seen.length, ScannedCount: seen.length } } };
}

function writeItem(table: ExploredTable, operation: string, input: WriteCall): Step {
  let written: TableWrite | undefined;
  const response = responseOf(() => {
    const { body, ...done } = write(definition, operation, input, (key) => table.get(addressOf(keyOf(key))));
    written = toWrite(done);
    return { ...body };
  });
  return { response, ...(written && { write: written }) };
}

function toWrite({ key, before, after }: Write): TableWrite {
  if (after && itemBytes(after) > mostBytes) throw new NotUnderstood("an item this large");
  return { key: keyOf(key), before, after };
}

export function applyWrite(table: ExploredTable, { key, before, after }: TableWrite): ExploredTable {
  if (before === after) return table;
  const items = new Map(table);
  if (after) items.set(addressOf(key), after);
  else items.delete(addressOf(key));
  return items;
}

function keyOf({ pk, sk }: Item): Key {
  if (!pk || !("S" in pk) || !sk || !("S" in sk)) throw new NotUnderstood("a key that is not pk and sk");
  return { pk: pk.S, sk: sk.S };
}
