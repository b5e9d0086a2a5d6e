/** The calls that the engine knows, with their members. */
import { type Check, count, flag, item, listOf, objectOf, oneOf, recordOf, text, value } from "./checks.ts";
import { invalid, NotUnderstood } from "./refusals.ts";
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

export type KeyType = "S" | "N" | "B";

export interface Schema {
  AttributeDefinitions: readonly { AttributeName: string; AttributeType: KeyType }[];
  KeySchema: readonly { AttributeName: string; KeyType: "HASH" | "RANGE" }[];
  GlobalSecondaryIndexes?: readonly {
    IndexName: string;
    KeySchema: Schema["KeySchema"];
    Projection: { ProjectionType: string; NonKeyAttributes?: readonly string[] };
  }[];
}

export interface TableCall {
  TableName: string;
}

export type CreateCall = TableCall & Schema;

const tableName: Check = (given, where) => {
  text(given, where);
  if (!/^[\w.-]{3,255}$/.test(String(given))) throw invalid(`Invalid table name: ${given}`);
};
const names = recordOf(text, /^#\w+$/);
const placeholders = recordOf(value, /^:\w+$/);
const expressions = { ExpressionAttributeNames: names, ExpressionAttributeValues: placeholders };
const keySchema = listOf(objectOf({ AttributeName: text, KeyType: oneOf("HASH", "RANGE") }));
const asked = { ReturnConsumedCapacity: oneOf("NONE", "TOTAL") };
const ofWrite = { ConditionExpression: text, ...expressions, ...asked };
const shown = { ReturnValuesOnConditionCheckFailure: oneOf("NONE", "ALL_OLD") };
const ofPage = { ConsistentRead: flag, Limit: count, ExclusiveStartKey: item, ...asked };

/** Those in `required`, and perhaps the `others`. */
const call = (required: Readonly<Record<string, Check>>, others: Readonly<Record<string, Check>> = {}) =>
  objectOf({ ...required, ...others }, Object.keys(others));

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
            ...{ IndexName: text, KeySchema: keySchema },
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
  ["GetItem", call({ TableName: tableName, Key: item }, { ConsistentRead: flag, ...asked })],
  [
    "BatchGetItem",
    call({ RequestItems: recordOf(call({ Keys: listOf(item) }, { ConsistentRead: flag })) }, asked),
  ],
  ["BatchWriteItem", call({ RequestItems: recordOf(listOf(writeRequest)) }, asked)],
  [
    "Query",
    call(
      { TableName: tableName, KeyConditionExpression: text },
      { IndexName: text, ProjectionExpression: text, ...expressions, ...ofPage },
    ),
  ],
  ["Scan", call({ TableName: tableName }, ofPage)],
  [
    "PutItem",
    call({ TableName: tableName, Item: item }, { ...ofWrite, ...shown, ReturnValues: oneOf("NONE") }),
  ],
  [
    "DeleteItem",
    call({ TableName: tableName, Key: item }, { ...ofWrite, ...shown, ReturnValues: oneOf("NONE") }),
  ],
  [
    "UpdateItem",
    call(
      { TableName: tableName, Key: item, UpdateExpression: text },
      { ...ofWrite, ...shown, ReturnValues: oneOf("NONE", "ALL_NEW") },
    ),
  ],
]);

function writeRequest(given: unknown, where: string): void {
  const put = call({ Item: item });
  const remove = call({ Key: item });
  objectOf({ PutRequest: put, DeleteRequest: remove }, ["PutRequest", "DeleteRequest"])(given, where);
  if (Object.keys(given as object).length !== 1) throw new NotUnderstood(`${where} that is not one request`);
}

/** Throws if the engine does not know the call, or a member or value of it. */
export function checkCall(operation: string, input: unknown): void {
  const check = calls.get(operation);
  if (!check) throw new NotUnderstood(`the operation ${operation}`);
  check(input, operation);
}
