/** Sets the variants of an environment, safely under concurrent requests. */
import { isDeepStrictEqual } from "node:util";
import type { EnvironmentItem } from "../../lib/store/items.ts";
import { toStates } from "../../lib/store/read-feature.ts";
import type { Session } from "../../lib/store/session.ts";
import { writeVariants } from "../../lib/store/write-variants.ts";
import { environmentItem, type NewEnvironment } from "./new-items.ts";
import { concurrentChange, replaceItem } from "./replace-item.ts";

/** Writes as the handlers do: the next revision. Refused if the environment was changed since it was read. */
export async function setVariants(
  session: Session,
  { project, feature, variants, stamp }: NewEnvironment,
  known: EnvironmentItem,
): Promise<void> {
  if (isDeepStrictEqual(known.variants, variants)) return;
  for (const before of await toStates(session, feature, [known], undefined)) {
    const { written } = await writeVariants(session, { project, feature, before, variants, stamp });
    if (!written) throw concurrentChange();
  }
}

/**
 * Creates the environment, or replaces an item that is left over from an earlier feature of the name. Refused if another
 * operator has created it since it was read: that may be in use by now.
 */
export async function createVariants(
  session: Session,
  created: NewEnvironment,
  leftover: EnvironmentItem | undefined,
): Promise<void> {
  const revision = (leftover?.revision ?? 0) + 1;
  const item: EnvironmentItem = { ...environmentItem(created), revision };
  await replaceItem(session, leftover, item);
}
