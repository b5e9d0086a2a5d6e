/** Sets the variants of an environment, safely under concurrent requests. */
import { isDeepStrictEqual } from "node:util";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError } from "../../lib/contract/errors.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import type { EnvironmentState, Target } from "../../lib/features/feature.ts";
import type { Stamp } from "../../lib/features/stores.ts";
import { isConditionFailure, isItemTooLarge } from "../../lib/store/failures.ts";
import { getItem } from "../../lib/store/get-item.ts";
import { type EnvironmentItem, environmentKey } from "../../lib/store/items.ts";
import { toStates } from "../../lib/store/read-feature.ts";
import type { Session } from "../../lib/store/session.ts";
import { tooLarge, writeVariants } from "../../lib/store/write-variants.ts";
import { environmentItem } from "./new-items.ts";
import { concurrentChange } from "./or-conflict.ts";

const maxAttempts = 20;

interface Options {
  /** The item as it was read, if there was one. */
  known: EnvironmentItem | undefined;
  /** Whether the feature already has the environment; otherwise the item is left over from an earlier one. */
  isListed: boolean;
  stamp: Stamp;
}

/** Writes as the handlers do: the next revision of the stored item, or a new item. */
export async function setVariants(
  session: Session,
  target: Target & { environment: string },
  variants: Variant[],
  { known, isListed, stamp }: Options,
): Promise<void> {
  let current =
    known && isListed
      ? await toState(session, known)
      : await putNew(session, target, variants, { leftover: known, stamp });
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (current && isDeepStrictEqual(current.variants, variants)) return;
    if (current) {
      const result = await writeVariants(session, { ...target, before: current, variants, stamp });
      if (result.written) return;
      const { uid } = current;
      current = result.current;
      // As a request, it does not write to what was deleted and created again, or moved, since it was read.
      if (!current || (uid !== undefined && current.uid !== uid)) throw concurrentChange();
    } else {
      current = await putNew(session, target, variants, { stamp });
    }
  }
  throw new ConflictError("Gave up after repeated write conflicts; run the command again");
}

/** Returns the environment afterwards: as written here, or by a concurrent writer. */
async function putNew(
  session: Session,
  { project, feature, environment }: Target & { environment: string },
  variants: Variant[],
  { leftover, stamp }: { leftover?: EnvironmentItem | undefined; stamp: Stamp },
): Promise<EnvironmentState | undefined> {
  const item: EnvironmentItem = {
    ...environmentItem({ project, feature, environment, variants, stamp }),
    revision: (leftover?.revision ?? 0) + 1,
  };
  const isNew = "attribute_not_exists(pk)";
  const isAsRead = "revision = :revision";
  const put = new PutCommand({
    TableName: session.table,
    Item: item,
    ConditionExpression: leftover ? isAsRead : isNew,
    ...(leftover && { ExpressionAttributeValues: { ":revision": leftover.revision } }),
  });
  try {
    await session.send(put);
    return toState(session, item);
  } catch (error) {
    if (isItemTooLarge(error)) throw tooLarge(error);
    if (!isConditionFailure(error)) throw error;
    const found = await getItem<EnvironmentItem>(session, environmentKey(feature, environment));
    return found && toState(session, found);
  }
}

async function toState(session: Session, item: EnvironmentItem): Promise<EnvironmentState | undefined> {
  return (await toStates(session, [item], undefined)).at(0);
}
