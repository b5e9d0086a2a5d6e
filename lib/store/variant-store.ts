/** The store of variants: a write requires the revision that was read. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { EnvironmentState, Target } from "../features/feature.ts";
import type { VariantStore, WriteResult } from "../features/stores.ts";
import { isConditionFailure } from "./failures.ts";
import { environmentKey } from "./items.ts";
import { keepChanges } from "./keep-changes.ts";
import { readChange, readNewestChanges } from "./read-changes.ts";
import { readEnvironment, readEnvironments } from "./read-feature.ts";
import type { Session } from "./session.ts";
import { tryBatchGet, tryBatchWrite, tryCalls, tryGet, tryQuery, tryUpdate } from "./try-calls.ts";

const everyCall = {
  BatchGetItem: tryBatchGet,
  BatchWriteItem: tryBatchWrite,
  GetItem: tryGet,
  Query: tryQuery,
  UpdateItem: tryUpdate,
};

export function createVariantStore(session: Session): VariantStore {
  return {
    readEnvironments: (target) => readEnvironments(session, target),
    readEnvironment: (target, environment) => readEnvironment(session, target, environment),
    readChange: (id) => readChange(session, id),
    readNewestChanges: (states) => readNewestChanges(session, states),
    keepChanges: (target, states) => keepChanges(session, target, states),
    writeVariants: (target, before, after) => writeVariants(session, target, before, after),
    tryCalls: () => tryCalls(session, everyCall),
  };
}

/** After a lost response the condition may fail because of this very write: the caller looks its change up. */
export async function writeVariants(
  session: Session,
  target: Target,
  before: EnvironmentState,
  after: EnvironmentState,
): Promise<WriteResult> {
  const result = await session.write(() => updateOf(session.table, target, before, after));
  if (result.isStored) return { written: true };
  const { refusal, mayBeStored } = result;
  if (!isConditionFailure(refusal)) throw refusal;
  return { written: false, mayBeStored };
}

function updateOf(
  table: string,
  { feature }: Target,
  before: EnvironmentState,
  { revision, variants, carried: [last, ...earlier], kept, top }: EnvironmentState,
): UpdateCommand {
  const attributes = {
    revision,
    variants,
    // Events refer to the reason, so it must be there.
    last: { ...last, reason: last?.reason ?? "" },
    earlier,
    kept,
    top,
  };
  const names = Object.keys(attributes);
  const isAtRevision = "#revision = :before";
  const isSameEnvironment = "uid = :uid";
  return new UpdateCommand({
    TableName: table,
    Key: environmentKey(feature, before.environment),
    ConditionExpression: [isAtRevision, isSameEnvironment].join(" AND "),
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
    // DynamoDB reserves some of these words.
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ":before": before.revision,
      ":uid": before.uid,
      ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value])),
    },
  });
}
