/** The calls that read items: one, a partition, the table. */
import type { Input, ItemCall, Progress } from "./call.ts";
import { type Expressions, givenValue, holds, parseAll } from "./evaluate.ts";
import type { Condition } from "./syntax.ts";
import { type Key, keyOf, type Table } from "./table.ts";
import { compareText, type Item, NotUnderstood } from "./values.ts";

type Seen = readonly (Item | undefined)[];

export function getItem(table: Table, input: Input): Progress {
  requireConsistent(input);
  const { Key = {} } = input as ItemCall;
  const item = table.get(keyOf(Key, { alone: true }));
  return { answer: item ? { Item: item } : {} };
}

/** All in one page: what is explored is far below the 1 MB at which DynamoDB ends a page. */
export function query(table: Table, input: Input, seen: Seen): Progress {
  const { ExpressionAttributeValues: values } = input as Expressions;
  const trees = parseSearch(input);
  const { KeyConditionExpression: condition } = trees;
  const pk = condition && partitionOf(condition, values);
  if (pk === undefined) throw new NotUnderstood("a query without a partition");
  const matches = (sk: string) => holds(condition as Condition, { pk: { S: pk }, sk: { S: sk } }, values);
  return search(input, trees, seen, (after) => nextIn(table, pk, after, matches));
}

/** In the order of the keys; DynamoDB's order is that of their hashes. */
export function scan(table: Table, input: Input, seen: Seen): Progress {
  return search(input, parseSearch(input), seen, (after) => {
    for (const pk of table.partitions()) {
      if (after && compareText(pk, after.pk) < 0) continue;
      const found = nextIn(table, pk, after?.pk === pk ? after : undefined, () => true);
      if (found) return found;
    }
    return undefined;
  });
}

function parseSearch(input: Input) {
  requireConsistent(input);
  return parseAll(input, {
    KeyConditionExpression: (parse) => parse.condition(),
    FilterExpression: (parse) => parse.condition(),
  });
}

/** A key is read after the one before it, and others may have written meanwhile. */
function search(
  { ExpressionAttributeValues: values }: Expressions,
  { FilterExpression: filter }: ReturnType<typeof parseSearch>,
  seen: Seen,
  nextAfter: (key: Key | undefined) => Item | undefined,
): Progress {
  const last = seen.at(-1);
  const next = nextAfter(last && keyOf(last));
  if (next) return { seen: next };
  const Items = seen
    .filter((item) => item !== undefined)
    .filter((item) => !filter || holds(filter, item, values));
  return { answer: { Items, Count: Items.length, ScannedCount: seen.length } };
}

function nextIn(
  table: Table,
  pk: string,
  after: Key | undefined,
  matches: (sk: string) => boolean,
): Item | undefined {
  const sk = table
    .sortKeys(pk)
    .find((one) => (after === undefined || compareText(one, after.sk) > 0) && matches(one));
  return sk === undefined ? undefined : table.get({ pk, sk });
}

function partitionOf(condition: Condition, values: Item | undefined): string | undefined {
  if (condition.kind === "and") {
    return partitionOf(condition.left, values) ?? partitionOf(condition.right, values);
  }
  if (condition.kind !== "compare" || condition.operator !== "=") return undefined;
  const { left, right } = condition;
  if (left.kind !== "path" || left.path[0] !== "pk" || right.kind !== "value") return undefined;
  const value = givenValue(values, right.name);
  return "S" in value ? value.S : undefined;
}

/** A read that is not consistent may return an old item; Burgee makes none. */
function requireConsistent(input: object): void {
  if (!("ConsistentRead" in input) || input.ConsistentRead !== true) {
    throw new NotUnderstood("a read that is not consistent");
  }
}
