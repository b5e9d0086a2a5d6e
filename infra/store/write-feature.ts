/** Creates, updates and deletes whole features. A feature that can be found is complete at every moment. */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Stamp } from "../../lib/features/stores.ts";
import { environmentKey, queueKey } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { deleteItem } from "./delete-item.ts";
import { featureItem } from "./new-items.ts";
import { orConflict } from "./or-conflict.ts";
import { createVariants, setVariants } from "./set-variants.ts";
import type { StoredFeature, WantedFeature } from "./stored.ts";
import { updateFeature } from "./update-feature.ts";

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
  if (stored?.item) await updateFeature(session, stored.item, after, stamp);
  else await putFeature(session, after, stamp);
  for (const environment of had.filter((one) => !after.environments.has(one))) {
    await deleteEnvironment(session, feature, environment, stored?.environments.get(environment)?.uid);
  }
}

export async function deleteFeature(
  session: Session,
  name: string,
  { item, environments }: StoredFeature,
): Promise<void> {
  if (item) await deleteItem(session, item);
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

async function putFeature({ table, send }: Session, after: WantedFeature, stamp: Stamp): Promise<void> {
  const isNew = "attribute_not_exists(pk)";
  // The retry after a lost response recognises its own write.
  const isOurs = "changed.id = :id";
  const put = new PutCommand({
    TableName: table,
    Item: featureItem(after, stamp),
    ConditionExpression: `${isNew} OR ${isOurs}`,
    ExpressionAttributeValues: { ":id": stamp.id },
  });
  await orConflict(() => send(put));
}
