/** Writes the variants of one environment, in one conditional write. */
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError, ValidationError } from "../contract/errors.ts";
import { storedBytes } from "../contract/item-size.ts";
import { limits } from "../contract/limits.ts";
import type { Change, EnvironmentState } from "../features/feature.ts";
import { newId, type VariantsWrite, type WriteResult } from "../features/stores.ts";
import { wayBack } from "../features/way-back.ts";
import { addChange } from "./change-list.ts";
import { isConditionFailure, isItemTooLarge, toUnknownOutcome } from "./failures.ts";
import { currentItem, type EnvironmentItem, environmentKey } from "./items.ts";
import { toStates } from "./read-feature.ts";
import { markUndone, moveRecords, rememberWrite, toStoredWrite } from "./retry-list.ts";
import type { Session } from "./session.ts";

/**
 *   this write --(stored)--> response lost --> the session retries it --> condition fails --> the item has its id: written
 *   this write --> condition fails --> the item does not have its id: another write came first, nothing stored
 */
export async function writeVariants(session: Session, write: VariantsWrite): Promise<WriteResult> {
  const { before, variants } = write;
  const id = newId();
  const { attributes, moving } = attributesAfter(write, id);
  if (moving.length > 0) await moveRecords(session, before.uid, moving);
  const { revision } = attributes;
  // The revision of this write, not the latest: another write may have followed.
  const written: WriteResult = { written: true, stored: { ...before, revision, variants } };
  let result = await session.write(() => updateOf(session.table, write, attributes));
  // If the item would be too large, the history is dropped rather than the write.
  if (!result.isStored && isItemTooLarge(result.refusal)) {
    const withoutHistory = attributesAfter(write, id, { keepsHistory: false });
    result = await session.write(
      () => updateOf(session.table, write, withoutHistory.attributes),
      result.mayBeStored,
    );
  }
  if (result.isStored) return written;
  const { refusal, mayBeStored } = result;
  if (!isConditionFailure(refusal)) throw tooLarge(refusal);
  const current = await readCurrent(session, refusal, write).catch((failure: unknown) => {
    throw mayBeStored ? toUnknownOutcome(failure) : failure;
  });
  if (current?.writes.some((one) => one.id === id && one.revision === revision)) return written;
  if (mayBeStored && hasForgotten(current, write)) {
    throw new ConflictError(
      "It is not known whether the write was stored: its response was lost, and the environment has changed since; read the variants before you retry",
      { mayBeStored },
    );
  }
  return { written: false, current };
}

async function readCurrent(
  session: Session,
  failure: ConditionalCheckFailedException,
  { feature, before: { environment }, idempotency }: VariantsWrite,
): Promise<EnvironmentState | undefined> {
  const item = await currentItem<EnvironmentItem>(session, failure, environmentKey(feature, environment));
  const [current] = await toStates(session, feature, item ? [item] : [], idempotency);
  return current;
}

/** Refuses in a dry run what DynamoDB would refuse in the write. */
export function requireRoomForVariants(write: VariantsWrite): void {
  const { project, feature, before } = write;
  const { environment, uid } = before;
  const item = {
    ...environmentKey(feature, environment),
    ...{ environment, project, uid },
    ...attributesAfter(write, newId(), { keepsHistory: false }).attributes,
  };
  if (storedBytes(item) > limits.itemBytes) throw tooLarge();
}

function updateOf(
  table: string,
  { feature, before }: VariantsWrite,
  attributes: ReturnType<typeof attributesAfter>["attributes"],
): UpdateCommand {
  const sets = Object.keys(attributes).map((name) => `#${name} = :${name}`);
  const isAtRevision = "#revision = :before";
  const isSameEnvironment = "uid = :uid";
  return new UpdateCommand({
    TableName: table,
    Key: environmentKey(feature, before.environment),
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

/** The attributes that the write sets, and the writes whose idempotency records have to leave the item for them. */
function attributesAfter(write: VariantsWrite, id: string, { keepsHistory = true } = {}) {
  const { feature, before, variants, stamp, undoes, idempotency, ticket = 0 } = write;
  const { request, ...by } = stamp;
  const revision = before.revision + 1;
  const served = Math.max(before.served, ticket);
  const earlier = undoes ? markUndone(before.writes, undoes, stamp.id) : before.writes;
  const { writes, moving } = rememberWrite(earlier, { id, revision, at: stamp.at, ...idempotency });
  const change: Change = {
    ...{ ...by, revision },
    ...(idempotency && { key: idempotency.key }),
    ...(undoes && { undoes: undoes.id }),
    ...(keepsHistory && { wayBack: wayBack(variants, before.variants) }),
  };
  const { changes, droppedAt } = addChange(before, change, keepsHistory ? limits.changesBytes : 0);
  const attributes = {
    revision,
    variants,
    writes: writes.map(toStoredWrite),
    changed: { ...change, request, feature },
    changes: changes.slice(1).map((older) => JSON.stringify(older)),
    ...(droppedAt !== undefined && { droppedAt }),
    ...(served > 0 && { served }),
    ...((before.hasMovedRecords || moving.length > 0) && { hasMovedRecords: true }),
  };
  return { attributes, moving };
}

/** Whether the write could be among those that are remembered no longer. Idempotency records are complete. */
function hasForgotten(
  current: EnvironmentState | undefined,
  { before, idempotency }: VariantsWrite,
): boolean {
  if (current?.uid !== before.uid) return true;
  return !idempotency && current.revision - before.revision > limits.rememberedWrites;
}

export function tooLarge(cause?: unknown): ValidationError {
  const message = `The variants would not fit in a stored item (${limits.itemBytes / 1024} KiB)`;
  return new ValidationError(message, { cause });
}
