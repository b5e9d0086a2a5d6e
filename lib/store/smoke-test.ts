/** The smoke test of a deployment: makes calls that change nothing, and fail if the role lacks a permission. */
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { deletionPartition } from "./deletion-items.ts";
import type { Session } from "./dynamodb/session.ts";
import { changeTableKey, featureTableKey, guardedTableKey, projectTableKey } from "./items/items.ts";
import { getItem, readPartition } from "./read-items.ts";

/** No item has these table keys. */
const noFeature = featureTableKey("");
const noProject = projectTableKey("");
const noChange = changeTableKey("", "none");
const noGuarded = guardedTableKey("GUARD#", "none", "none", 0);
const noDeletion = { pk: deletionPartition("feature", ""), sk: "none" };

type TryCall = (session: Session) => Promise<unknown>;

export async function runSmokeTest(session: Session, calls: Record<string, TryCall>): Promise<string[]> {
  const failures = await Promise.all(
    Object.entries(calls).map(([name, call]) =>
      call(session).then(
        () => [],
        (error: Error) => [`${name}: ${error.cause ?? error}`],
      ),
    ),
  );
  return failures.flat();
}

export const tryGetFeature: TryCall = (session) => getItem(session, noFeature);

export const tryGetFeatureAndProject: TryCall = (session) =>
  Promise.all([noFeature, noProject].map((tableKey) => getItem(session, tableKey)));

export const tryQuery: TryCall = (session) =>
  Promise.all([noFeature, noChange, noGuarded, noDeletion].map(({ pk }) => readPartition(session, pk)));

const never = "attribute_exists(pk) AND attribute_not_exists(pk)";

export const tryPut: TryCall = ({ table, write }) =>
  write(() => new PutCommand({ TableName: table, Item: noFeature, ConditionExpression: never }));

export const tryDelete: TryCall = ({ table, call }) =>
  call(new DeleteCommand({ TableName: table, Key: noFeature }));

export const tryUpdate: TryCall = ({ table, write }) =>
  write(
    () =>
      new UpdateCommand({
        TableName: table,
        Key: noFeature,
        ConditionExpression: never,
        UpdateExpression: "REMOVE tags",
      }),
  );

export const tryBatchGet: TryCall = ({ table, call }) =>
  call(new BatchGetCommand({ RequestItems: { [table]: { Keys: [noChange] } } }));

export const tryBatchWrite: TryCall = ({ table, call }) =>
  call(
    new BatchWriteCommand({
      RequestItems: { [table]: [noChange, noGuarded, noDeletion].map((Key) => ({ DeleteRequest: { Key } })) },
    }),
  );
