/** Writes the variants of one environment, in one conditional write. */
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError, ValidationError } from "../contract/errors.ts";
import { storedBytes } from "../contract/item-size.ts";
import { limits } from "../contract/limits.ts";
import { type EnvironmentState, isSameEnvironment } from "../features/feature.ts";
import { newId, type VariantsWrite, type WriteResult } from "../features/stores.ts";
import { isConditionFailure, toUnknownOutcome } from "./failures.ts";
import { moveRecords } from "./idempotency-items.ts";
import { type EnvironmentItem, environmentKey } from "./items.ts";
import { toStates } from "./read-feature.ts";
import { currentItem } from "./read-items.ts";
import { hasWrite, type Memory, rememberRecord, rememberWrite } from "./remembered-writes.ts";
import type { Session } from "./session.ts";

/**
 *   this write --(stored)--> response lost --> the session retries it --> condition fails --> the item has its id: written
 *   this write --> condition fails --> the item does not have its id: another write came first, nothing stored
 */
export async function writeVariants(session: Session, write: VariantsWrite): Promise<WriteResult> {
  const { before, stamp } = write;
  const { attributes, moving } = attributesAfter(write);
  const { bornUid = attributes.uid } = before.memory as Memory;
  if (moving.length > 0) await moveRecords(session, bornUid, moving);
  const { uid, revision, variants } = attributes;
  // Others may have written since: their revision is not the one that the caller is shown.
  const written: WriteResult = { written: true, stored: { ...before, uid, revision, variants } };
  const result = await session.write(() => updateOf(session.table, write, attributes));
  if (result.isStored) return written;
  const { refusal, mayBeStored } = result;
  if (!isConditionFailure(refusal)) throw tooLarge(refusal);
  const current = await readCurrent(session, refusal, write).catch((failure: unknown) => {
    throw mayBeStored ? toUnknownOutcome(failure) : failure;
  });
  if (current && hasWrite(current.memory as Memory, stamp.id)) return written;
  if (mayBeStored && hasForgotten(current, write)) {
    throw new ConflictError(
      "It is not known whether the write was stored: its response was lost, and many writes followed; read the variants before you retry",
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
  const [current] = await toStates(session, item ? [item] : [], idempotency);
  return current;
}

/** Refuses in a dry run what DynamoDB would refuse in the write. */
export function requireRoomForVariants(write: VariantsWrite): void {
  const { environment, uidSince } = write.before;
  const { bornUid, movedAt } = write.before.memory as Memory;
  const item = {
    ...environmentKey(write.feature, environment),
    environment,
    ...(uidSince !== undefined && { uidSince }),
    ...(bornUid !== undefined && { bornUid }),
    ...(movedAt !== undefined && { idempotencyMoved: movedAt }),
    ...attributesAfter(write).attributes,
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
  const hasSameUid = before.uid === undefined ? "attribute_not_exists(#uid)" : "#uid = :uid";
  return new UpdateCommand({
    TableName: table,
    Key: environmentKey(feature, before.environment),
    ConditionExpression: [isAtRevision, hasSameUid].join(" AND "),
    UpdateExpression: `SET ${sets.join(", ")}${attributes.idempotency ? " REMOVE keyed" : ""}`,
    // DynamoDB reserves some of these words.
    ExpressionAttributeNames: Object.fromEntries(Object.keys(attributes).map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ":before": before.revision,
      ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value])),
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
}

/** The attributes that the write sets, and the idempotency records that have to leave the item for them. */
function attributesAfter(write: VariantsWrite) {
  const { project, feature, before, variants, stamp, idempotency, ticket = 0 } = write;
  const memory = before.memory as Memory;
  const revision = before.revision + 1;
  const served = Math.max(before.served, ticket);
  const remembered = idempotency && rememberRecord(memory, idempotency, before.revision);
  const moving = remembered?.moving ?? [];
  const attributes = {
    project,
    uid: before.uid ?? newId(),
    ...(before.uid === undefined && { uidSince: revision }),
    revision,
    variants,
    writes: rememberWrite(memory, stamp.id),
    changed: { ...stamp, feature },
    ...(served > 0 && { served }),
    ...(remembered && { idempotency: remembered.records }),
    ...(moving.length > 0 && { idempotencyMoved: revision }),
  };
  return { attributes, moving };
}

/** Whether the write could be among those that nothing remembers any more. Idempotency records are complete. */
function hasForgotten(
  current: EnvironmentState | undefined,
  { before, idempotency }: VariantsWrite,
): boolean {
  if (!current || !isSameEnvironment(before, current)) return true;
  return !idempotency && current.revision - before.revision > limits.rememberedWrites;
}

export function tooLarge(cause?: unknown): ValidationError {
  const message = `The variants would not fit in a stored item (${limits.itemBytes / 1024} KiB)`;
  return new ValidationError(message, { cause });
}
