/** Sets the variants of an environment, safely under concurrent requests. */
import { isDeepStrictEqual } from "node:util";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError } from "../../lib/contract/errors.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import type { Target } from "../../lib/features/feature.ts";
import type { Stamp } from "../../lib/features/stores.ts";
import { isConditionFailure, isItemTooLarge } from "../../lib/store/failures.ts";
import { type EnvironmentItem, environmentKey } from "../../lib/store/items.ts";
import { toStates } from "../../lib/store/read-feature.ts";
import { getItem } from "../../lib/store/read-items.ts";
import type { Session } from "../../lib/store/session.ts";
import { tooLarge, writeVariants } from "../../lib/store/write-variants.ts";
import { hasUid } from "./conditions.ts";
import { environmentItem } from "./new-items.ts";
import { concurrentChange } from "./or-conflict.ts";

const maxAttempts = 20;

interface Options {
  /** The item as it was read, if there was one. */
  known: EnvironmentItem | undefined;
  /** Whether the feature has the environment; otherwise the item is left over, as from an earlier feature of the name. */
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
  if (!known || !isListed) return putNew(session, target, variants, { leftover: known, stamp });
  let [current] = await toStates(session, target.feature, [known], undefined);
  for (let attempt = 0; current && attempt < maxAttempts; attempt++) {
    if (isDeepStrictEqual(current.variants, variants)) return;
    const result = await writeVariants(session, { ...target, before: current, variants, stamp });
    if (result.written) return;
    // Like a request, it does not write to what was deleted and created again since it was read.
    if (result.current?.uid !== current.uid) throw concurrentChange();
    current = result.current;
  }
  throw new ConflictError("Gave up after repeated write conflicts; run the command again");
}

/** Refused if another operator has created the environment since it was read: that may be in use by now. */
async function putNew(
  session: Session,
  { project, feature, environment }: Target & { environment: string },
  variants: Variant[],
  { leftover, stamp }: { leftover: EnvironmentItem | undefined; stamp: Stamp },
): Promise<void> {
  const item: EnvironmentItem = {
    ...environmentItem({ project, feature, environment, variants, stamp }),
    revision: (leftover?.revision ?? 0) + 1,
  };
  const isAsRead = hasUid(leftover?.uid);
  const put = new PutCommand({
    TableName: session.table,
    Item: item,
    // An item that does not exist has no uid either.
    ConditionExpression: isAsRead.condition,
    ExpressionAttributeValues: isAsRead.values,
  });
  try {
    await session.send(put);
  } catch (error) {
    if (isItemTooLarge(error)) throw tooLarge(error);
    if (!isConditionFailure(error)) throw error;
    // The SDK retries a write whose response was lost, and its first attempt may have succeeded.
    const found = await getItem<EnvironmentItem>(session, environmentKey(feature, environment));
    if (found?.uid !== item.uid) throw concurrentChange();
  }
}
