/** Sets the variants of an environment, safely under concurrent requests. */
import { isDeepStrictEqual } from "node:util";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError } from "../../lib/contract/errors.ts";
import { isConditionFailure, isItemTooLarge } from "../../lib/store/failures.ts";
import { type EnvironmentItem, environmentKey } from "../../lib/store/items.ts";
import { toStates } from "../../lib/store/read-feature.ts";
import { getItem } from "../../lib/store/read-items.ts";
import type { Session } from "../../lib/store/session.ts";
import { tooLarge, writeVariants } from "../../lib/store/write-variants.ts";
import { isAsRead } from "./conditions.ts";
import { environmentItem, type NewEnvironment } from "./new-items.ts";
import { concurrentChange } from "./or-conflict.ts";

const maxAttempts = 20;

/** Writes as the handlers do: the next revision of the stored item. */
export async function setVariants(
  session: Session,
  { project, feature, variants, stamp }: NewEnvironment,
  known: EnvironmentItem,
): Promise<void> {
  let [current] = await toStates(session, feature, [known], undefined);
  for (let attempt = 0; current && attempt < maxAttempts; attempt++) {
    if (isDeepStrictEqual(current.variants, variants)) return;
    const write = { project, feature, before: current, variants, stamp };
    const result = await writeVariants(session, write);
    if (result.written) return;
    // Like a request, it does not write to what was deleted and created again since it was read.
    if (result.current?.uid !== current.uid) throw concurrentChange();
    current = result.current;
  }
  throw new ConflictError("Gave up after repeated write conflicts; run the command again");
}

/**
 * Creates the environment, or replaces an item that is left over from an earlier feature of the name. Refused if another
 * operator has created it since it was read: that may be in use by now.
 */
export async function createVariants(
  session: Session,
  { feature, environment, ...rest }: NewEnvironment,
  leftover: EnvironmentItem | undefined,
): Promise<void> {
  const item: EnvironmentItem = {
    ...environmentItem({ feature, environment, ...rest }),
    revision: (leftover?.revision ?? 0) + 1,
  };
  const put = new PutCommand({ TableName: session.table, Item: item, ...isAsRead(leftover) });
  try {
    await session.send(put);
  } catch (error) {
    if (isItemTooLarge(error)) throw tooLarge(error);
    if (!isConditionFailure(error)) throw error;
    // After a lost response the retry finds what the first attempt wrote.
    const found = await getItem<EnvironmentItem>(session, environmentKey(feature, environment));
    if (found?.uid !== item.uid) throw concurrentChange();
  }
}
