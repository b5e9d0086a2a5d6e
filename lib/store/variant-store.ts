/** The store of variants: writes those of one environment in one conditional write. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError, ValidationError } from "../contract/errors.ts";
import { storedBytes } from "../contract/item-size.ts";
import { limits } from "../contract/limits.ts";
import type { EnvironmentState } from "../features/feature.ts";
import type { VariantStore, VariantsWrite, WriteResult } from "../features/stores.ts";
import { isConditionFailure, toUnknownOutcome } from "./failures.ts";
import { currentItem, type EnvironmentItem, environmentKey, toStoredChange } from "./items.ts";
import { readEnvironment, readEnvironments, toState } from "./read-feature.ts";
import type { Session } from "./session.ts";

export function createVariantStore(session: Session): VariantStore {
  return {
    readEnvironments: (target) => readEnvironments(session, target),
    readEnvironment: (target, environment) => readEnvironment(session, target, environment),
    writeVariants: (write) => writeVariants(session, write),
    requireRoomForVariants,
  };
}

/**
 * Writes on a condition. After a lost response the item shows whether the write was stored:
 *
 *   this write --(stored)--> response lost --> the session retries it --> condition fails --> the item has the change
 *   this write --> condition fails --> the item does not have the change: another write came first, nothing stored
 *
 * Where the item has the change, the state that is returned shows it like one of an earlier attempt of the request.
 */
export async function writeVariants(session: Session, write: VariantsWrite): Promise<WriteResult> {
  const { target, before } = write;
  const attributes = attributesOf(write);
  const result = await session.write(() => updateOf(session.table, write, attributes));
  if (result.isStored) return { written: true };
  const { refusal, mayBeStored } = result;
  if (!isConditionFailure(refusal)) throw tooLarge(refusal);
  const key = environmentKey(target.feature, before.environment);
  const item = await currentItem<EnvironmentItem>(session, refusal, key).catch((failure: unknown) => {
    throw mayBeStored ? toUnknownOutcome(failure) : failure;
  });
  const current = item && toState(item);
  if (mayBeStored && mayHaveForgotten(current, write)) {
    throw new ConflictError(
      "It is not known whether the write was stored: its response was lost, and the environment has changed since; read the variants before you retry",
      { mayBeStored },
    );
  }
  return { written: false, current };
}

/** Refuses before the first write what DynamoDB would refuse for certain; a write may still be too large. */
function requireRoomForVariants(write: VariantsWrite): void {
  if (bytesOf(write, attributesOf(write)) > limits.itemBytes) throw tooLarge();
}

type Attributes = ReturnType<typeof attributesWith>;

/** Below the limit of an item, as the size is estimated: a number counts as one byte, and can take three. */
const roomForWaysBack = 0.95 * limits.itemBytes;

/** If the item would be too large, ways back are dropped rather than the write: those of older changes first. */
function attributesOf(write: VariantsWrite): Attributes {
  for (const waysBack of [Number.POSITIVE_INFINITY, 1]) {
    const attributes = attributesWith(write, waysBack);
    if (bytesOf(write, attributes) <= roomForWaysBack) return attributes;
  }
  return attributesWith(write, 0);
}

function attributesWith({ target: { feature }, after, stamp }: VariantsWrite, waysBack: number) {
  const { revision, variants, droppedUntil } = after;
  const changes = after.changes.map((one, index) =>
    index < waysBack ? one : { ...one, wayBack: undefined },
  );
  const { id, by, at, request, reason = "" } = stamp;
  return {
    ...{ revision, variants },
    changed: { id, by, at, request, feature, reason },
    changes: changes.map(toStoredChange),
    ...(droppedUntil !== undefined && { droppedUntil }),
  };
}

function bytesOf({ target, before }: VariantsWrite, attributes: Attributes): number {
  const { environment, uid } = before;
  const key = environmentKey(target.feature, environment);
  return storedBytes({ ...key, environment, project: target.project, uid, ...attributes });
}

function updateOf(table: string, { target, before }: VariantsWrite, attributes: Attributes): UpdateCommand {
  const sets = Object.keys(attributes).map((name) => `#${name} = :${name}`);
  const isAtRevision = "#revision = :before";
  const isSameEnvironment = "uid = :uid";
  return new UpdateCommand({
    TableName: table,
    Key: environmentKey(target.feature, before.environment),
    ConditionExpression: [isAtRevision, isSameEnvironment].join(" AND "),
    UpdateExpression: `SET ${sets.join(", ")}`,
    // DynamoDB reserves some of these words.
    ExpressionAttributeNames: Object.fromEntries(Object.keys(attributes).map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ":before": before.revision,
      ":uid": before.uid,
      ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value])),
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
}

/** Whether the change could be among those that are kept no longer. With an idempotency key it would be found. */
function mayHaveForgotten(current: EnvironmentState | undefined, { before, stamp }: VariantsWrite): boolean {
  if (current?.uid !== before.uid) return true;
  return stamp.key === undefined && current.revision - before.revision > limits.changes;
}

function tooLarge(cause?: unknown): ValidationError {
  const message = `The variants would not fit in a stored item (${limits.itemBytes / 1024} KiB)`;
  return new ValidationError(message, { cause });
}
