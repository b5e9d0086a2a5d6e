/** One conditional write of one environment's variants. */

import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError, TemporarilyUnavailable } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { environmentTag } from "../features/entity-tag.ts";
import type { EnvironmentState } from "../features/feature.ts";
import type { VariantsWrite, WriteResult } from "../features/feature-store.ts";
import { formatKeyedWrite, toEnvironmentState } from "./environment-state.ts";
import { isConditionFailure, isItemTooLarge } from "./failures.ts";
import { freshItem } from "./fresh-item.ts";
import { type EnvironmentItem, environmentKey } from "./items.ts";
import type { Session } from "./session.ts";
import { variantsTooLarge } from "./too-large.ts";

/**
 *   this write --(stored)--> answer lost --> the SDK repeats it --> condition fails --> the item knows its id: done
 *   this write --> condition fails --> the item does not know its id: somebody else was first, nothing stored
 */
export async function writeVariants(session: Session, write: VariantsWrite): Promise<WriteResult> {
  const { feature, before, stamp } = write;
  const key = environmentKey(feature, before.environment);
  const isStillAtRevision = "revision = :before";
  const after = Object.entries(attributesAfter(write));
  const update = new UpdateCommand({
    TableName: session.table,
    Key: key,
    ConditionExpression: isStillAtRevision,
    UpdateExpression: `SET ${after.map(([name]) => `${name} = :${name}`).join(", ")}`,
    ExpressionAttributeValues: {
      ":before": before.revision,
      ...Object.fromEntries(after.map(([name, value]) => [`:${name}`, value])),
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  try {
    await session.call((client, options) => client.send(update, options));
    return { done: true };
  } catch (error) {
    if (isItemTooLarge(error)) throw variantsTooLarge(error);
    if (error instanceof TemporarilyUnavailable) {
      throw new TemporarilyUnavailable(`${error.message}; whether its write was stored is not known`, {
        cause: error,
      });
    }
    if (!isConditionFailure(error)) throw error;
    const item = await freshItem<EnvironmentItem>(session, error, key);
    if (item?.writes.includes(stamp.id)) return { done: true };
    const current = item && toEnvironmentState(item);
    const wasRepeated = (error.$metadata.attempts ?? 1) > 1;
    if (wasRepeated && current && hasForgotten(current, write)) {
      throw new ConflictError(
        "its write was repeated, and so many followed that it cannot be told if it was stored",
      );
    }
    return { done: false, current };
  }
}

/** What the write sets in the environment's item. */
export function attributesAfter({ project, feature, before, variants, stamp, keyed }: VariantsWrite) {
  return {
    variants,
    revision: before.revision + 1,
    writes: [...before.writes, stamp.id].slice(-limits.rememberedWrites),
    changed: { ...stamp, project, feature },
    ...(keyed && {
      keyed: [...before.keyed, { ...keyed, before: environmentTag(before) }]
        .slice(-limits.rememberedWrites)
        .map(formatKeyedWrite),
    }),
  };
}

/** Whether our write could be among those that the environment remembers no more, by its id or by its key. */
function hasForgotten(current: EnvironmentState, { before, keyed }: VariantsWrite): boolean {
  const isKnown = keyed !== undefined && current.keyed.some(({ key }) => key === keyed.key);
  return !isKnown && current.revision - before.revision > limits.rememberedWrites;
}
