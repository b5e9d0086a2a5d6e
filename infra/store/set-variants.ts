/** Gives an environment these variants, whoever changes it meanwhile. */
import { isDeepStrictEqual } from "node:util";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError } from "../../lib/contract/errors.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import type { EnvironmentState, Target } from "../../lib/features/feature.ts";
import type { Stamp } from "../../lib/features/feature-store.ts";
import { toEnvironmentState } from "../../lib/store/environment-state.ts";
import { isConditionFailure, isItemTooLarge } from "../../lib/store/failures.ts";
import { getItem } from "../../lib/store/get-item.ts";
import { type EnvironmentItem, environmentKey } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { variantsTooLarge } from "../../lib/store/too-large.ts";
import { writeVariants } from "../../lib/store/write-variants.ts";
import { environmentItem } from "./new-items.ts";

const tries = 20;

/** Written as the handlers write: as the next revision of what is there, or as the first where nothing is. */
export async function setVariants(
  session: Session,
  target: Target & { environment: string },
  variants: Variant[],
  { known, stamp }: { known: EnvironmentItem | undefined; stamp: Stamp },
): Promise<void> {
  let current: EnvironmentState | undefined = known && toEnvironmentState(known);
  for (let count = 0; count < tries; count++) {
    if (current && isDeepStrictEqual(current.variants, variants)) return;
    if (current) {
      const result = await writeVariants(session, { ...target, before: current, variants, stamp });
      if (result.done) return;
      current = result.current;
    } else {
      current = await putFirst(session, target, variants, stamp);
    }
  }
  throw new ConflictError("others changed it again and again; run the command again");
}

/** The environment as it stands afterwards: as it was put, or as somebody else did before. */
async function putFirst(
  session: Session,
  { project, feature, environment }: Target & { environment: string },
  variants: Variant[],
  stamp: Stamp,
): Promise<EnvironmentState | undefined> {
  const item: EnvironmentItem = {
    ...environmentItem(feature, environment, variants),
    writes: [stamp.id],
    changed: { ...stamp, project, feature },
  };
  const isNew = "attribute_not_exists(pk)";
  const put = new PutCommand({ TableName: session.table, Item: item, ConditionExpression: isNew });
  try {
    await session.call((client, options) => client.send(put, options));
    return toEnvironmentState(item);
  } catch (error) {
    if (isItemTooLarge(error)) throw variantsTooLarge(error);
    if (!isConditionFailure(error)) throw error;
    const found = await getItem<EnvironmentItem>(session, environmentKey(feature, environment));
    return found && toEnvironmentState(found);
  }
}
