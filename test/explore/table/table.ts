/**
 * A DynamoDB table in memory, for the calls that Burgee makes and no others. What it does not know it does not answer:
 * it throws. table.test.ts compares it with real engines.
 */
import {
  type Item,
  NotUnderstood,
  Refused,
  toCondition,
  toUpdate,
} from "../../../infra/engine/expressions.ts";

/** Never changed: a write makes another. By `placeOf` of the items. */
export type Table = ReadonlyMap<string, Item>;

export interface Key {
  pk: string;
  sk: string;
}

export const placeOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

export type Input = Readonly<Record<string, unknown>>;

export interface TableCall {
  operation: string;
  input: Input;
}

export interface Response {
  status: number;
  body: Readonly<Record<string, unknown>>;
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
export type Step = ({ seen: Item } | { response: Response }) & { write?: TableWrite };

interface ItemCall {
  Key?: Item;
  Item?: Item;
  ConditionExpression?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Readonly<Record<string, string>>;
  ExpressionAttributeValues?: Item;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: string;
}

/** Far below the 400 KB of an item, and the 1 MB at which DynamoDB ends a page. */
const mostCharacters = 20_000;

const expressionMembers = ["ExpressionAttributeNames", "ExpressionAttributeValues"];
const writeMembers = [
  ...["TableName", "ConditionExpression", ...expressionMembers],
  ...["ReturnValues", "ReturnValuesOnConditionCheckFailure"],
];
const operations: Readonly<Record<string, readonly string[]>> = {
  GetItem: ["TableName", "Key", "ConsistentRead"],
  BatchGetItem: ["RequestItems"],
  BatchWriteItem: ["RequestItems"],
  Query: ["TableName", "KeyConditionExpression", "ExpressionAttributeValues", "ConsistentRead"],
  PutItem: [...writeMembers, "Item"],
  UpdateItem: [...writeMembers, "Key", "UpdateExpression"],
  DeleteItem: [...writeMembers, "Key"],
};

/** The next step of a call that has seen these items. */
export function takeStep(table: Table, { operation, input }: TableCall, seen: readonly Item[] = []): Step {
  const members = operations[operation] ?? [];
  const other = Object.keys(input).find((member) => !members.includes(member));
  if (members.length === 0 || other) throw new NotUnderstood(`${operation} with ${other}`);
  // A read that is not consistent may return an old item; Burgee makes none.
  if (members.includes("ConsistentRead") && input.ConsistentRead !== true) {
    throw new NotUnderstood("a read that is not consistent");
  }
  if (operation === "BatchGetItem") return { response: { status: 200, body: batch(table, input) } };
  if (operation === "BatchWriteItem") return putNext(table, input, seen);
  if (operation === "Query") return query(table, input, seen);
  if (operation !== "GetItem") return write(table, operation, input);
  const item = table.get(placeOf(keyOf(input.Key as Item)));
  return { response: { status: 200, body: item ? { Item: item } : {} } };
}

interface BatchCall {
  RequestItems?: Readonly<Record<string, { Keys: readonly Item[]; ConsistentRead?: boolean }>>;
}

/** Of items that never change, so that it does not matter when each is read. */
function batch(table: Table, { RequestItems = {} }: BatchCall): Response["body"] {
  const responses = Object.entries(RequestItems).map(([name, { Keys, ConsistentRead }]) => {
    if (!ConsistentRead) throw new NotUnderstood("a read that is not consistent");
    return [name, Keys.map((key) => table.get(placeOf(keyOf(key)))).filter((item) => item !== undefined)];
  });
  return { Responses: Object.fromEntries(responses), UnprocessedKeys: {} };
}

interface BatchPut {
  RequestItems?: Readonly<Record<string, readonly { PutRequest?: { Item: Item } }[]>>;
}

/** The first that is not seen yet: each is put on its own. */
function putNext(table: Table, { RequestItems = {} }: BatchPut, seen: readonly Item[]): Step {
  const items = Object.values(RequestItems)
    .flat()
    .map(({ PutRequest }) => PutRequest?.Item);
  const places = items.map((item) => item && placeOf(keyOf(item)));
  const item = items[seen.length];
  if (!item || items.includes(undefined) || items.length > 25 || new Set(places).size < places.length) {
    throw new NotUnderstood("this batch");
  }
  if (JSON.stringify(item).length > mostCharacters) throw new NotUnderstood("an item this large");
  const key = keyOf(item);
  const write = { key, before: table.get(placeOf(key)), after: item };
  if (seen.length + 1 < items.length) return { seen: item, write };
  return { response: { status: 200, body: { UnprocessedItems: {} } }, write };
}

/** All in one page. */
function query(table: Table, input: Input, seen: readonly Item[]): Step {
  if (input.KeyConditionExpression !== "pk = :pk") throw new NotUnderstood("this condition on the key");
  const { pk } = keyOf({ pk: (input.ExpressionAttributeValues as Item)[":pk"], sk: { S: "" } } as Item);
  const last = seen.at(-1);
  const [next] = [...table.values()]
    .filter((item) => keyOf(item).pk === pk && (!last || keyOf(last).sk < keyOf(item).sk))
    .sort((one, other) => (keyOf(one).sk < keyOf(other).sk ? -1 : 1));
  if (next) return { seen: next };
  return { response: { status: 200, body: { Items: seen, Count: seen.length, ScannedCount: seen.length } } };
}

function write(table: Table, operation: string, input: ItemCall): Step {
  const key = keyOf(input.Item ?? input.Key ?? {});
  const before = table.get(placeOf(key));
  try {
    requireCondition(input, before);
    const after = operation === "DeleteItem" ? undefined : written(input, before);
    if (JSON.stringify(after ?? {}).length > mostCharacters) throw new NotUnderstood("an item this large");
    const { ReturnValues = "NONE" } = input;
    if (ReturnValues !== "NONE" && (ReturnValues !== "ALL_NEW" || !input.UpdateExpression)) {
      throw new NotUnderstood(`ReturnValues ${ReturnValues}`);
    }
    const body = ReturnValues === "NONE" ? {} : { Attributes: after };
    return { response: { status: 200, body }, write: { key, before, after } };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { type, message, item } = error;
    const __type = `com.amazonaws.dynamodb.v20120810#${type}`;
    return { response: { status: 400, body: { __type, message, ...(item && { Item: item }) } } };
  }
}

function requireCondition(input: ItemCall, before: Item | undefined): void {
  const { ConditionExpression: text, ExpressionAttributeNames: names } = input;
  const { ExpressionAttributeValues: values = {}, ReturnValuesOnConditionCheckFailure: shown } = input;
  if (text === undefined || toCondition(text, names)(before ?? {}, values)) return;
  const item = shown === "ALL_OLD" ? before : undefined;
  throw new Refused("ConditionalCheckFailedException", "The conditional request failed", item);
}

function written(
  { Item, Key = {}, UpdateExpression = "", ExpressionAttributeNames, ExpressionAttributeValues }: ItemCall,
  before: Item | undefined,
): Item {
  if (Item) return Item;
  return toUpdate(UpdateExpression, ExpressionAttributeNames)(before ?? Key, ExpressionAttributeValues ?? {});
}

export function applyWrite(table: Table, { key, before, after }: TableWrite): Table {
  if (before === after) return table;
  const items = new Map(table);
  if (after) items.set(placeOf(key), after);
  else items.delete(placeOf(key));
  return items;
}

export function keyOf({ pk, sk }: Item): Key {
  if (!pk || !("S" in pk) || !sk || !("S" in sk)) throw new NotUnderstood("a key that is not pk and sk");
  return { pk: pk.S, sk: sk.S };
}
