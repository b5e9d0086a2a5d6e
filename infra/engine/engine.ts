/**
 * A DynamoDB engine in memory, for the calls that Burgee makes and no others: what it does not understand, it refuses.
 * Each call is one step, so calls are stored in the order in which they arrive.
 */
import { type Item, NotUnderstood, Refused, toCondition, toUpdate } from "./expressions.ts";
import { comparePlaces, type Definition, type KeyNames, Table } from "./table.ts";
import { itemBytes } from "./values.ts";

export interface Response {
  status: number;
  body: object;
}

/** What a call changed, for what keeps it. */
export interface Write {
  table: string;
  key: Item;
  item: Item | undefined;
}

/** The members that calls may have. */
type Input = Readonly<{
  TableName: string;
  Key: Item;
  Item: Item;
  RequestItems: Readonly<Record<string, unknown>>;
  ConditionExpression: string;
  UpdateExpression: string;
  KeyConditionExpression: string;
  ProjectionExpression: string;
  ExpressionAttributeNames: Readonly<Record<string, string>>;
  ExpressionAttributeValues: Item;
  ReturnValues: string;
  ReturnValuesOnConditionCheckFailure: string;
  ReturnConsumedCapacity: string;
  ConsistentRead: boolean | undefined;
  IndexName: string;
  Limit: number;
  ExclusiveStartKey: Item;
  KeySchema: KeySchema;
  GlobalSecondaryIndexes: readonly IndexSchema[];
}>;

type KeySchema = readonly { AttributeName: string; KeyType: string }[];

interface IndexSchema {
  IndexName: string;
  KeySchema: KeySchema;
  Projection: { ProjectionType: string; NonKeyAttributes?: readonly string[] };
}

interface BatchRead {
  Keys: readonly Item[];
  ConsistentRead?: boolean | undefined;
}

interface BatchWrite {
  PutRequest?: { Item: Item };
  DeleteRequest?: { Key: Item };
}

const mostItemBytes = 400 * 1024;
const pageBytes = 1024 * 1024;
const keyBytes = { partition: 2048, sort: 1024 };

const expressions = ["ExpressionAttributeNames", "ExpressionAttributeValues"];
const ofWrite = [
  "TableName",
  "ConditionExpression",
  ...expressions,
  "ReturnValues",
  "ReturnValuesOnConditionCheckFailure",
];
const ofRead = ["TableName", "ConsistentRead"];
const ofPage = [...ofRead, "Limit", "ExclusiveStartKey"];
const members: Readonly<Record<string, readonly string[]>> = {
  CreateTable: ["TableName", "BillingMode", "AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes"],
  DescribeTable: ["TableName"],
  GetItem: [...ofRead, "Key"],
  BatchGetItem: ["RequestItems"],
  BatchWriteItem: ["RequestItems"],
  Query: [...ofPage, "IndexName", "KeyConditionExpression", "ProjectionExpression", ...expressions],
  Scan: ofPage,
  PutItem: [...ofWrite, "Item"],
  UpdateItem: [...ofWrite, "Key", "UpdateExpression"],
  DeleteItem: [...ofWrite, "Key"],
};

export class Engine {
  readonly tables = new Map<string, Table>();

  /** `onWrite` is called for each item that is changed, in order. */
  call(operation: string, body: unknown, onWrite: (write: Write) => void = () => {}): Response {
    try {
      if (typeof body !== "object" || body === null) throw new NotUnderstood("a body that is no object");
      const input = body as Input;
      const known = members[operation];
      const other = Object.keys(input).find(
        (member) => !known?.includes(member) && member !== "ReturnConsumedCapacity",
      );
      if (!known || other) throw new NotUnderstood(`${operation}${other ? ` with ${other}` : ""}`);
      return { status: 200, body: this.#run(operation, input, onWrite) };
    } catch (error) {
      const [type, message, item] =
        error instanceof Refused
          ? [error.type, error.message, error.item]
          : error instanceof NotUnderstood
            ? ["ValidationException", `The embedded engine serves Burgee's own calls only: ${error.message}`]
            : [];
      if (!type) throw error;
      return {
        status: 400,
        body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message, ...(item && { Item: item }) },
      };
    }
  }

  #run(operation: string, input: Input, onWrite: (write: Write) => void): object {
    const { TableName: name = "" } = input;
    switch (operation) {
      case "CreateTable":
        return this.create(name, definitionOf(input));
      case "BatchGetItem":
        return this.#getAll(input);
      case "BatchWriteItem":
        return this.#putAll(input, onWrite);
    }
    const table = this.#table(name);
    switch (operation) {
      case "DescribeTable":
        return { Table: { TableName: name, TableStatus: "ACTIVE" } };
      case "GetItem": {
        const Item = table.get(requireKey(input.Key, table));
        return {
          ...(Item && { Item }),
          ...consumed(input, name, readUnits(Item ? itemBytes(Item) : 0, input)),
        };
      }
      case "Query":
        return query(table, input);
      case "Scan":
        return scan(table, input);
      default:
        return write(table, operation, input, onWrite);
    }
  }

  create(name: string, definition: Definition): object {
    if (this.tables.has(name)) throw new Refused("ResourceInUseException", `Table already exists: ${name}`);
    this.tables.set(name, new Table(definition));
    return { TableDescription: { TableName: name, TableStatus: "ACTIVE" } };
  }

  #table(name: string): Table {
    const table = this.tables.get(name);
    if (!table)
      throw new Refused(
        "ResourceNotFoundException",
        `Requested resource not found: Table: ${name} not found`,
      );
    return table;
  }

  #getAll(input: Input): object {
    let units = 0;
    const entries = Object.entries(input.RequestItems) as [string, BatchRead][];
    const responses = entries.map(([name, { Keys, ConsistentRead }]) => {
      const table = this.#table(name);
      if (Keys.length === 0 || Keys.length > 100)
        throw new Refused("ValidationException", "A batch has 1 to 100 keys");
      const found = Keys.map((key) => table.get(requireKey(key, table)));
      // An item that is not there is free, as DynamoDB Local counts it.
      for (const item of found) units += item ? readUnits(itemBytes(item), { ConsistentRead }) : 0;
      return [name, found.filter((item) => item !== undefined)];
    });
    return {
      Responses: Object.fromEntries(responses),
      UnprocessedKeys: {},
      ...consumedList(input, entries[0]?.[0] ?? "", units),
    };
  }

  #putAll(input: Input, onWrite: (write: Write) => void): object {
    const entries = Object.entries(input.RequestItems) as [string, BatchWrite[]][];
    const writes = entries.flatMap(([name, requests]) => {
      const table = this.#table(name);
      return requests.map(({ PutRequest, DeleteRequest }) => {
        const item: Item | undefined = PutRequest?.Item;
        const key = keyOf(requireKey(item ?? DeleteRequest?.Key ?? {}, table), table);
        if (item) requireSize(item, "Item size has exceeded the maximum allowed size");
        return { name, table, key, item };
      });
    });
    const places = new Set(writes.map(({ name, key }) => JSON.stringify([name, key])));
    if (places.size < writes.length)
      throw new Refused("ValidationException", "Provided list of item keys contains duplicates");
    if (writes.length === 0 || writes.length > 25)
      throw new Refused("ValidationException", "A batch has 1 to 25 requests");
    let units = 0;
    for (const { name, table, key, item } of writes) {
      units += writeUnits(table.set(key, item), item);
      onWrite({ table: name, key, item });
    }
    return { UnprocessedItems: {}, ...consumedList(input, entries[0]?.[0] ?? "", units) };
  }
}

function definitionOf({ KeySchema, GlobalSecondaryIndexes = [] }: Input): Definition {
  const key = keyNames(KeySchema);
  const indexes = GlobalSecondaryIndexes.map(({ IndexName, KeySchema: schema, Projection }) => {
    const { ProjectionType: type, NonKeyAttributes: others = [] } = Projection;
    if (type !== "ALL" && type !== "INCLUDE") throw new NotUnderstood(`the projection ${type}`);
    const names = keyNames(schema);
    const keys = [key, names].flatMap(({ partition, sort }) => [partition, sort]);
    return [IndexName, { ...names, ...(type === "INCLUDE" && { attributes: [...keys, ...others] }) }];
  });
  return { key, indexes: Object.fromEntries(indexes) };
}

function keyNames(schema: KeySchema): KeyNames {
  const of = (type: string) => schema.find(({ KeyType }) => KeyType === type)?.AttributeName;
  const [partition, sort] = [of("HASH"), of("RANGE")];
  if (!partition || !sort) throw new NotUnderstood("a table without a sort key");
  return { partition, sort };
}

function requireKey(item: Item, { definition: { key } }: Table): Item {
  for (const part of ["partition", "sort"] as const) {
    const value = item[key[part]];
    if (!value || !("S" in value))
      throw new Refused("ValidationException", "The provided key element does not match the schema");
    const bytes = Buffer.byteLength(value.S);
    if (bytes === 0)
      throw new Refused(
        "ValidationException",
        `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${key[part]}`,
      );
    if (bytes > keyBytes[part])
      throw new Refused(
        "ValidationException",
        `One or more parameter values were invalid: Size of ${part === "sort" ? "rangekey" : "hashkey"} has exceeded the maximum size limit of ${keyBytes[part]} bytes`,
      );
  }
  return item;
}

function keyOf(item: Item, { definition: { key } }: Table): Item {
  return { [key.partition]: item[key.partition], [key.sort]: item[key.sort] } as Item;
}

function requireSize(item: Item, message: string): void {
  if (itemBytes(item) > mostItemBytes) throw new Refused("ValidationException", message);
}

function write(table: Table, operation: string, input: Input, onWrite: (write: Write) => void): object {
  const { TableName, Item: put, ReturnValues = "NONE" } = input;
  const key = requireKey(put ?? input.Key, table);
  const before = table.get(key);
  requireCondition(input, before);
  let after: Item | undefined;
  if (operation === "PutItem") {
    requireSize(put, "Item size has exceeded the maximum allowed size");
    after = put;
  } else if (operation === "UpdateItem") {
    const update = toUpdate(input.UpdateExpression, input.ExpressionAttributeNames);
    after = update(before ?? key, input.ExpressionAttributeValues ?? {});
    requireSize(after, "Item size to update has exceeded the maximum allowed size");
  }
  if (ReturnValues !== "NONE" && ReturnValues !== "ALL_NEW")
    throw new NotUnderstood(`ReturnValues ${ReturnValues}`);
  table.set(key, after);
  onWrite({ table: TableName, key: keyOf(key, table), item: after });
  return {
    ...(ReturnValues === "ALL_NEW" && { Attributes: after }),
    ...consumed(input, TableName, writeUnits(before, after)),
  };
}

function requireCondition(input: Input, before: Item | undefined): void {
  const {
    ConditionExpression: text,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values = {},
  } = input;
  if (text === undefined || toCondition(text, names)(before ?? {}, values)) return;
  const item = input.ReturnValuesOnConditionCheckFailure === "ALL_OLD" ? before : undefined;
  throw new Refused("ConditionalCheckFailedException", "The conditional request failed", item);
}

/** `pk = :pk`, and optionally `sk > :sk`. */
const keyCondition = /^(#?\w+) = (:\w+)(?: AND (#?\w+) > (:\w+))?$/;

function query(table: Table, input: Input): object {
  const {
    IndexName: index,
    KeyConditionExpression: text,
    ExpressionAttributeNames: names = {},
    ExpressionAttributeValues: values,
  } = input;
  const found = keyCondition.exec(text);
  const key = index === undefined ? table.definition.key : table.definition.indexes[index];
  const named = (name = "") => (name.startsWith("#") ? names[name] : name);
  if (!found || !key || named(found[1]) !== key.partition || (found[3] && named(found[3]) !== key.sort))
    throw new NotUnderstood(`the condition "${text}"`);
  const textOf = (name = "") => {
    const value = values[name];
    if (!value || !("S" in value)) throw new NotUnderstood(`the condition "${text}"`);
    return value.S;
  };
  const after = found[4] && textOf(found[4]);
  const items = table.partition(textOf(found[2]), index);
  const from =
    after === undefined
      ? items
      : items.filter((item) => comparePlaces([(item[key.sort] as { S: string }).S], [after]) > 0);
  return page(table, input, from, index);
}

/** By partitions in the order of their names. */
function scan(table: Table, input: Input): object {
  const { ExclusiveStartKey: start } = input;
  const names = table.partitions();
  const begin = start ? table.placeOf(start)[0] : undefined;
  function* items() {
    for (const name of names)
      if (begin === undefined || comparePlaces([name], [begin]) >= 0) yield* table.partition(name);
  }
  return page(table, input, items());
}

/** Up to 1 MB, and from the item after the one at which the last page ended. */
function page(table: Table, input: Input, items: Iterable<Item>, index?: string): object {
  const { Limit = Number.POSITIVE_INFINITY, ExclusiveStartKey: start, TableName } = input;
  const begin = start && table.placeOf(start, index);
  const Items: Item[] = [];
  let bytes = 0;
  let last: Item | undefined;
  for (const item of items) {
    if (begin && comparePlaces(table.placeOf(item, index), begin) <= 0) continue;
    if (Items.length >= Limit || bytes >= pageBytes) {
      const ended = Items.at(-1) as Item;
      const { key, indexes } = table.definition;
      const keys = [key, ...(index === undefined ? [] : [indexes[index] as KeyNames])];
      last = Object.fromEntries(
        keys.flatMap(({ partition, sort }) => [partition, sort]).map((name) => [name, ended[name]]),
      ) as Item;
      break;
    }
    bytes += itemBytes(item);
    Items.push(item);
  }
  return {
    ...{ Items: project(Items, input), Count: Items.length, ScannedCount: Items.length },
    ...(last && { LastEvaluatedKey: last }),
    // An empty page is free, as DynamoDB Local counts it.
    ...consumed(input, TableName, bytes === 0 ? 0 : readUnits(bytes, input)),
  };
}

function project(
  items: readonly Item[],
  { ProjectionExpression: text, ExpressionAttributeNames: names = {} }: Input,
): readonly Item[] {
  if (text === undefined) return items;
  const wanted = text.split(",").map((name) => (name.startsWith("#") ? (names[name] ?? name) : name));
  return items.map(
    (item) => Object.fromEntries(wanted.flatMap((name) => (item[name] ? [[name, item[name]]] : []))) as Item,
  );
}

function readUnits(bytes: number, { ConsistentRead }: Partial<Input>): number {
  return Math.max(1, Math.ceil(bytes / 4096)) * (ConsistentRead ? 1 : 0.5);
}

function writeUnits(before: Item | undefined, after: Item | undefined): number {
  return Math.max(1, ...[before, after].map((item) => Math.ceil((item ? itemBytes(item) : 0) / 1024)));
}

const capacity = (TableName: string, CapacityUnits: number) => ({ TableName, CapacityUnits });

function consumed({ ReturnConsumedCapacity: asked }: Input, name: string, units: number): object {
  return asked === "TOTAL" ? { ConsumedCapacity: capacity(name, units) } : {};
}

function consumedList({ ReturnConsumedCapacity: asked }: Input, name: string, units: number): object {
  return asked === "TOTAL" ? { ConsumedCapacity: [capacity(name, units)] } : {};
}
