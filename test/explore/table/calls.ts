/**
 * The calls of DynamoDB, each in the steps that are atomic by themselves: a write of one item is one, a query or a batch
 * is as many as it has items. Others may come between two steps: so it is in DynamoDB, which promises no more.
 */
import { type Input, type Progress, requireMembers, type Step } from "./call.ts";
import { getItem, query, scan } from "./reads.ts";
import type { Table } from "./table.ts";
import { type Item, NotUnderstood, Refused } from "./values.ts";
import { batchWrite, deleteItem, putItem, updateItem } from "./writes.ts";

type Call = readonly [step: Step, members: readonly string[]];

const names = "ExpressionAttributeNames";
const writing = [
  ...["TableName", "ConditionExpression", names, "ExpressionAttributeValues"],
  ...["ReturnValues", "ReturnValuesOnConditionCheckFailure"],
];
const searching = [
  ...["TableName", "FilterExpression", names, "ExpressionAttributeValues"],
  "ConsistentRead",
];

const calls: Readonly<Record<string, Call>> = {
  GetItem: [getItem, ["TableName", "Key", "ConsistentRead"]],
  Query: [query, [...searching, "KeyConditionExpression"]],
  Scan: [scan, searching],
  PutItem: [putItem, [...writing, "Item"]],
  UpdateItem: [updateItem, [...writing, "Key", "UpdateExpression"]],
  DeleteItem: [deleteItem, [...writing, "Key"]],
  BatchWriteItem: [batchWrite, ["RequestItems"]],
};

/** Throws what it does not understand, and as Refused what DynamoDB refuses. */
export function takeStep(
  table: Table,
  operation: string,
  input: Input,
  seen: Parameters<Step>[2] = [],
): Progress {
  const known = calls[operation];
  if (!known) throw new NotUnderstood(operation);
  const [step, members] = known;
  requireMembers(input, members, operation);
  if (members.includes("TableName") && input.TableName !== table.name) {
    throw new NotUnderstood(`the table ${input.TableName}`);
  }
  return step(table, input, seen);
}

export interface Response {
  status: number;
  body: object;
}

/** What DynamoDB answers; undefined between two steps, when what was seen is added to `seen`. */
export function respond(
  table: Table,
  { operation, input }: { operation: string; input: Input },
  seen: (Item | undefined)[],
): Response | undefined {
  try {
    const progress = takeStep(table, operation, input, seen);
    if ("answer" in progress) return { status: 200, body: progress.answer };
    seen.push(progress.seen);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { type, message, item } = error;
    const body = { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message, ...(item && { Item: item }) };
    return { status: 400, body };
  }
}
