/** One conditional write of one environment's variants. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError, TemporarilyUnavailable, ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Variant } from "../contract/variants.ts";
import type { EnvironmentState, Stamp, WriteResult } from "../features/feature-store.ts";
import { toEnvironmentState } from "./environment-state.ts";
import { isConditionFailure, isItemTooLarge } from "./failures.ts";
import { freshItem } from "./fresh-item.ts";
import { type EnvironmentItem, environmentKey, rememberedWrites } from "./items.ts";
import type { Session } from "./session.ts";

/**
 *   this write --(stored)--> answer lost --> the SDK repeats it --> condition fails --> the item knows its id: done
 *   this write --> condition fails --> the item does not know its id: somebody else was first, nothing stored
 */
export async function writeVariants(
  session: Session,
  feature: string,
  before: EnvironmentState,
  variants: Variant[],
  stamp: Stamp,
): Promise<WriteResult> {
  const key = environmentKey(feature, before.environment);
  const isStillAtRevision = "revision = :before";
  const update = new UpdateCommand({
    TableName: session.table,
    Key: key,
    ConditionExpression: isStillAtRevision,
    UpdateExpression: "SET variants = :variants, revision = :after, writes = :writes, changed = :stamp",
    ExpressionAttributeValues: {
      ":before": before.revision,
      ":after": before.revision + 1,
      ":variants": variants,
      ":writes": [...before.writes, stamp.id].slice(-rememberedWrites),
      ":stamp": stamp,
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  try {
    await session.call((client, options) => client.send(update, options));
    return { done: true };
  } catch (error) {
    if (isItemTooLarge(error)) {
      const most = `${limits.itemBytes / 1024} KB`;
      throw new ValidationError(`its variants would not fit in a stored item (${most})`, { cause: error });
    }
    if (error instanceof TemporarilyUnavailable) {
      throw new TemporarilyUnavailable(`${error.message}; whether its write was stored is not known`, {
        cause: error,
      });
    }
    if (!isConditionFailure(error)) throw error;
    const item = await freshItem<EnvironmentItem>(session, error, key);
    if (item?.writes.includes(stamp.id)) return { done: true };
    const wasRepeated = (error.$metadata.attempts ?? 1) > 1;
    if (wasRepeated && item && item.revision - before.revision > rememberedWrites) {
      throw new ConflictError(
        "its write was repeated, and so many followed that it cannot be told if it was stored",
      );
    }
    return { done: false, current: item && toEnvironmentState(item) };
  }
}
