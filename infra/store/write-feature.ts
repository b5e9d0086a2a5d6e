/** Creates, updates and deletes whole features. A feature that can be found is complete at every moment. */
import { isDeepStrictEqual } from "node:util";
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import type { Stamp } from "../../lib/features/stores.ts";
import { isConditionFailure } from "../../lib/store/failures.ts";
import {
  type EnvironmentItem,
  environmentKey,
  featureKey,
  getItem,
  type Key,
  queueKey,
} from "../../lib/store/items.ts";
import { toStates } from "../../lib/store/read-feature.ts";
import type { Session } from "../../lib/store/session.ts";
import { writeVariants } from "../../lib/store/write-variants.ts";
import type { WantedFeature } from "./content.ts";
import { environmentItem, featureItem, type NewEnvironment } from "./new-items.ts";
import type { StoredFeature } from "./read-table.ts";
import { concurrentChange, replaceItem } from "./replace-item.ts";

/** Environments are written before the feature that lists them, and deleted after it no longer does. */
export async function writeFeature(
  session: Session,
  stored: StoredFeature | undefined,
  after: WantedFeature,
  { stamp }: { stamp: Stamp },
): Promise<void> {
  const { name: feature, project } = after;
  const had = stored?.item?.environments ?? [];
  for (const [environment, variants] of after.environments) {
    const known = stored?.environments.get(environment);
    const write = { project, feature, environment, variants, stamp };
    if (known && had.includes(environment)) await setVariants(session, write, known);
    else await createVariants(session, write, known);
  }
  await writeItem(session, stored, after, stamp);
  for (const environment of had.filter((one) => !after.environments.has(one))) {
    await deleteEnvironment(session, feature, environment, stored?.environments.get(environment)?.uid);
  }
}

/** Writes as the handlers do: the next revision. Refused if the environment was changed since it was read. */
async function setVariants(
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
async function createVariants(
  session: Session,
  created: NewEnvironment,
  leftover: EnvironmentItem | undefined,
): Promise<void> {
  const revision = (leftover?.revision ?? 0) + 1;
  // Each attempt gets another uid: a copy that arrives after the environment was deleted does not restore what was read.
  const make = (): EnvironmentItem => ({ ...environmentItem(created), revision });
  await replaceItem(session, leftover, make);
}

export async function deleteFeature(
  session: Session,
  name: string,
  { item, environments }: StoredFeature,
): Promise<void> {
  // Its uid has changed if it was deleted and created again since it was read; a retry of the deletion finds nothing.
  if (item && !(await deleteItem(session, item)) && (await getItem(session, featureKey(name))))
    throw concurrentChange();
  for (const [environment, { uid }] of environments) {
    await deleteEnvironment(session, name, environment, uid);
  }
}

async function deleteEnvironment(
  session: Session,
  feature: string,
  environment: string,
  uid: string | undefined,
): Promise<void> {
  if (uid !== undefined) await deleteItem(session, { ...environmentKey(feature, environment), uid });
  await deleteItem(session, queueKey(feature, environment));
}

/** The feature's tags and list of environments, unless they are as they should be. */
async function writeItem(
  session: Session,
  stored: StoredFeature | undefined,
  after: WantedFeature,
  stamp: Stamp,
): Promise<void> {
  const before = stored?.item;
  const created = featureItem(after, stamp);
  const item = before ? { ...created, uid: before.uid, fence: nextFence(before) } : created;
  const isSame = (member: "tags" | "environments") => isDeepStrictEqual(before?.[member], item[member]);
  if (isSame("tags") && isSame("environments")) return;
  await replaceItem(session, before, () => item);
}

/** A late copy of an update of tags that came before it is refused. */
function nextFence({ fence }: { fence: number }): number {
  return Math.max(Date.now(), fence + 1);
}

/**
 * A copy that arrives late does not delete an item that was created again since: that has another uid. Returns false if
 * it was not deleted.
 */
async function deleteItem(
  { table, send }: Session,
  { pk, sk, uid }: Key & { uid?: string },
): Promise<boolean> {
  const isSame = { ConditionExpression: "uid = :uid", ExpressionAttributeValues: { ":uid": uid } };
  const command = new DeleteCommand({ TableName: table, Key: { pk, sk }, ...(uid !== undefined && isSame) });
  try {
    await send(command);
    return true;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return false;
  }
}
