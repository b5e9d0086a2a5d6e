/** The calls that change items. */
import { type Input, type ItemCall, type Progress, requireMembers } from "./call.ts";
import { holds, parseAll } from "./evaluate.ts";
import type { Condition } from "./syntax.ts";
import { type Key, keyOf, type Table } from "./table.ts";
import { update } from "./update.ts";
import { type Item, invalid, NotUnderstood, Refused } from "./values.ts";

export function putItem(table: Table, input: Input): Progress {
  const { Item = {} } = input as ItemCall;
  const { ConditionExpression } = parseAll(input, { ConditionExpression: (parse) => parse.condition() });
  return write(table, keyOf(Item), input, ConditionExpression, () => Item);
}

export function deleteItem(table: Table, input: Input): Progress {
  const { Key = {} } = input as ItemCall;
  const { ConditionExpression } = parseAll(input, { ConditionExpression: (parse) => parse.condition() });
  return write(table, keyOf(Key, { alone: true }), input, ConditionExpression, () => undefined);
}

export function updateItem(table: Table, input: Input): Progress {
  const { Key = {}, ExpressionAttributeValues } = input as ItemCall;
  const { ConditionExpression, UpdateExpression = [] } = parseAll(input, {
    ConditionExpression: (parse) => parse.condition(),
    UpdateExpression: (parse) => parse.update(),
  });
  if (UpdateExpression.some(({ path: [name] }) => name === "pk" || name === "sk")) {
    throw invalid("Cannot update attribute pk or sk: it is part of the key");
  }
  const make = (before = Key) => update(before, UpdateExpression, ExpressionAttributeValues);
  return write(table, keyOf(Key, { alone: true }), input, ConditionExpression, make);
}

function write(
  table: Table,
  key: Key,
  input: ItemCall,
  condition: Condition | undefined,
  make: (before: Item | undefined) => Item | undefined,
): Progress {
  const { ExpressionAttributeValues, ReturnValues = "NONE", ReturnValuesOnConditionCheckFailure } = input;
  const before = table.get(key);
  if (condition && !holds(condition, before ?? {}, ExpressionAttributeValues)) {
    const shown = ReturnValuesOnConditionCheckFailure === "ALL_OLD" ? before : undefined;
    throw new Refused("ConditionalCheckFailedException", "The conditional request failed", shown);
  }
  const after = make(before);
  table.set(key, after);
  if (ReturnValues === "NONE") return { answer: {} };
  if (ReturnValues === "ALL_OLD") return { answer: before ? { Attributes: before } : {} };
  if (ReturnValues === "ALL_NEW" && input.UpdateExpression) return { answer: { Attributes: after } };
  throw new NotUnderstood(`ReturnValues ${ReturnValues}`);
}

interface Request {
  PutRequest?: { Item: Item };
  DeleteRequest?: { Key: Item };
}

/** One item in each step, in the order in which they are given; DynamoDB promises none. */
export function batchWrite(table: Table, input: Input, seen: readonly unknown[]): Progress {
  const requests = requestsOf(table, input);
  const keys = requests.map((request) => {
    requireMembers(request, ["PutRequest", "DeleteRequest"], "BatchWriteItem");
    return keyOf(request.PutRequest?.Item ?? request.DeleteRequest?.Key ?? {});
  });
  if (new Set(keys.map(({ pk, sk }) => JSON.stringify([pk, sk]))).size < keys.length) {
    throw invalid("Provided list of item keys contains duplicates");
  }
  const key = keys[seen.length];
  if (key) table.set(key, requests[seen.length]?.PutRequest?.Item);
  return seen.length < keys.length - 1 ? { seen: undefined } : { answer: { UnprocessedItems: {} } };
}

/** The requests of a batch, which must all be for this table. */
function requestsOf(table: Table, input: Input): readonly Request[] {
  const { [table.name]: ours, ...others } = input.RequestItems as Readonly<
    Record<string, readonly Request[]>
  >;
  if (!ours || Object.keys(others).length > 0) throw new NotUnderstood("a batch for another table");
  return ours;
}
