/** Defines the calls that the engine knows, with their members. */
import {
  boolean,
  type Check,
  count,
  item,
  listOf,
  objectOf,
  oneOf,
  recordOf,
  text,
  textLike,
  value,
} from "./checks.ts";
import type { Schema } from "./definition.ts";
import { NotUnderstood } from "./refusals.ts";
import type { Item } from "./values.ts";

export interface Expressions {
  ExpressionAttributeNames?: Readonly<Record<string, string>>;
  ExpressionAttributeValues?: Item;
}

export interface WriteCall extends Expressions {
  TableName: string;
  Key?: Item;
  Item?: Item;
  ConditionExpression?: string;
  UpdateExpression?: string;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: string;
  ReturnConsumedCapacity?: string;
}

export interface PageCall extends Expressions {
  TableName: string;
  IndexName?: string;
  KeyConditionExpression?: string;
  ProjectionExpression?: string;
  ConsistentRead?: boolean;
  Limit?: number;
  ExclusiveStartKey?: Item;
  ReturnConsumedCapacity?: string;
}

export interface GetCall {
  TableName: string;
  Key: Item;
  ConsistentRead?: boolean;
  ReturnConsumedCapacity?: string;
}

export interface BatchGetCall {
  RequestItems: Readonly<Record<string, { Keys: readonly Item[]; ConsistentRead?: boolean }>>;
  ReturnConsumedCapacity?: string;
}

export type WriteRequest =
  | { PutRequest: { Item: Item }; DeleteRequest?: never }
  | { DeleteRequest: { Key: Item }; PutRequest?: never };

export interface BatchWriteCall {
  RequestItems: Readonly<Record<string, readonly WriteRequest[]>>;
  ReturnConsumedCapacity?: string;
}

export interface CallOfTable {
  TableName: string;
}

export type CreateCall = CallOfTable & Schema;

const tableName = textLike(/^[\w.-]{3,255}$/);
const names = recordOf(text, /^#\w+$/);
const placeholders = recordOf(value, /^:\w+$/);
const expressions = { ExpressionAttributeNames: names, ExpressionAttributeValues: placeholders };
const keySchema = listOf(objectOf({ AttributeName: text, KeyType: oneOf("HASH", "RANGE") }));
const capacity = { ReturnConsumedCapacity: oneOf("NONE", "TOTAL") };
const paging = { ConsistentRead: boolean, Limit: count, ExclusiveStartKey: item, ...capacity };

/** An object with all `required` members, and any of the `optional` ones. */
const call = (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}) =>
  objectOf({ ...required, ...optional }, Object.keys(optional));

const write = (required: Readonly<Record<string, Check>>, ...returned: readonly string[]) =>
  call(
    { TableName: tableName, ...required },
    {
      ConditionExpression: text,
      ...expressions,
      ...capacity,
      ReturnValues: oneOf("NONE", ...returned),
      ReturnValuesOnConditionCheckFailure: oneOf("NONE", "ALL_OLD"),
    },
  );

const calls: ReadonlyMap<string, Check> = new Map([
  [
    "CreateTable",
    call(
      {
        TableName: tableName,
        AttributeDefinitions: listOf(objectOf({ AttributeName: text, AttributeType: oneOf("S", "N", "B") })),
        KeySchema: keySchema,
        BillingMode: oneOf("PAY_PER_REQUEST"),
      },
      {
        GlobalSecondaryIndexes: listOf(
          objectOf({
            IndexName: text,
            KeySchema: keySchema,
            Projection: call(
              { ProjectionType: oneOf("ALL", "KEYS_ONLY", "INCLUDE") },
              { NonKeyAttributes: listOf(text) },
            ),
          }),
        ),
      },
    ),
  ],
  ["DescribeTable", call({ TableName: tableName })],
  ["DeleteTable", call({ TableName: tableName })],
  ["ListTables", call({})],
  ["GetItem", call({ TableName: tableName, Key: item }, { ConsistentRead: boolean, ...capacity })],
  [
    "BatchGetItem",
    call({ RequestItems: recordOf(call({ Keys: listOf(item) }, { ConsistentRead: boolean })) }, capacity),
  ],
  ["BatchWriteItem", call({ RequestItems: recordOf(listOf(writeRequest)) }, capacity)],
  [
    "Query",
    call(
      { TableName: tableName, KeyConditionExpression: text },
      { IndexName: text, ProjectionExpression: text, ...expressions, ...paging },
    ),
  ],
  ["Scan", call({ TableName: tableName }, paging)],
  ["PutItem", write({ Item: item })],
  ["DeleteItem", write({ Key: item })],
  ["UpdateItem", write({ Key: item, UpdateExpression: text }, "ALL_NEW")],
]);

function writeRequest(given: unknown, where: string): void {
  call({}, { PutRequest: call({ Item: item }), DeleteRequest: call({ Key: item }) })(given, where);
  if (Object.keys(given as object).length !== 1) throw new NotUnderstood(`${where} that is not one request`);
}

/** Throws if the engine does not know the call, or a member or value of it. */
export function checkCall(operation: string, input: unknown): void {
  const check = calls.get(operation);
  if (!check) throw new NotUnderstood(`the operation ${operation}`);
  check(input, operation);
}
