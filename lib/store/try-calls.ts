/** Tries calls to the table without a change, so that a deployment finds a role that lacks the permission for one. */
import { BatchGetCommand, BatchWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { changeKey, featureKey } from "./items.ts";
import { getItem, readPartition } from "./read-items.ts";
import type { Session } from "./session.ts";

/** No feature has an empty name, and no change an empty id. */
const noFeature = featureKey("");
const noChange = changeKey("", "none");

type TryCall = (session: Session) => Promise<unknown>;

/** Returns those that failed, each with its error. */
export async function tryCalls(session: Session, calls: Record<string, TryCall>): Promise<string[]> {
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

export const tryGet: TryCall = (session) => getItem(session, noFeature);

export const tryQuery: TryCall = (session) =>
  Promise.all([noFeature, noChange].map(({ pk }) => readPartition(session, pk)));

/** Its condition cannot hold. */
export const tryUpdate: TryCall = ({ table, write }) =>
  write(
    () =>
      new UpdateCommand({
        TableName: table,
        Key: noFeature,
        ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(pk)",
        UpdateExpression: "REMOVE tags",
      }),
  );

export const tryBatchGet: TryCall = ({ table, send }) =>
  send(new BatchGetCommand({ RequestItems: { [table]: { Keys: [noChange] } } }));

/** Deletes what is not there. */
export const tryBatchWrite: TryCall = ({ table, send }) =>
  send(new BatchWriteCommand({ RequestItems: { [table]: [{ DeleteRequest: { Key: noChange } }] } }));
