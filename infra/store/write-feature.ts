/** Creates and updates whole features. A feature that can be found is complete at every moment. */
import { nextState } from "../../lib/features/change/next-state.ts";
import { differingAspects } from "../../lib/features/model.ts";
import type { Stamp } from "../../lib/features/stamp.ts";
import { createEnvironment, reserveName, updateFeatureItem } from "../../lib/store/create-feature.ts";
import type { Session } from "../../lib/store/dynamodb/session.ts";
import { writeEnvironment } from "../../lib/store/feature-store.ts";
import { authorshipOf, type EnvironmentItem } from "../../lib/store/items/items.ts";
import { featureItem, type NewEnvironment } from "../../lib/store/items/new-items.ts";
import { toEnvironmentState } from "../../lib/store/items/stored-content.ts";
import { prepareUnguardedWrite } from "../../lib/store/prepare-writes.ts";
import { readChangeItems } from "../../lib/store/read-changes.ts";
import type { StoredFeature } from "../../lib/store/read-items.ts";
import { ConcurrentChange, ignoreConflict, removeItem, replaceItem } from "../../lib/store/replace-item.ts";
import type { FeatureContent } from "./content.ts";

/** Environments are written before the feature that lists them, and deleted after it no longer does. */
export async function writeFeature(
  session: Session,
  stored: StoredFeature | undefined,
  after: FeatureContent,
  stamp: Stamp,
): Promise<void> {
  const { name: feature, project } = after;
  const before = stored?.item;
  const had = before?.environments ?? [];
  const reservation = before ? undefined : await reserveName(session, feature, stored?.reservation, stamp);
  for (const [environment, content] of after.environments) {
    const known = stored?.environments.get(environment);
    const write = { project, feature, environment, ...content, stamp };
    if (known && had.includes(environment)) await setContent(session, write, known);
    else await createEnvironment(session, write, known);
  }
  const environments = [...after.environments.keys()];
  const item = featureItem({ ...after, environments }, stamp);
  if (before) await updateFeatureItem(session, before, item);
  else await replaceItem(session, reservation, () => ({ ...item, creation: authorshipOf(stamp) }));
  for (const environment of had.filter((one) => !after.environments.has(one))) {
    await deleteEnvironment(session, stored?.environments.get(environment));
  }
}

/** Whether the feature's item or one of its environments was written with this stamp. */
export function hasPartOf({ item, environments }: StoredFeature, { id }: Stamp): boolean {
  const hasStamp = ({ created, carriedNewest, carriedRest, droppedIds }: EnvironmentItem) =>
    [created, carriedNewest, ...carriedRest].some((stamp) => stamp?.id === id) || droppedIds.includes(id);
  const updates = item ? [item.lastWrite.id, ...item.earlierWriteIds] : [];
  return updates.includes(id) || [...environments.values()].some(hasStamp);
}

/** Writes the next revision, as the handlers do. Throws if the environment was changed since it was read. */
async function setContent(
  session: Session,
  { feature, stamp, ...content }: NewEnvironment,
  known: EnvironmentItem,
): Promise<void> {
  const before = toEnvironmentState(known);
  if (differingAspects(before, content).length === 0) return;
  // A retry does not write again what an earlier attempt has written, because patches may have followed.
  const isCarried = before.carried.some(({ id }) => id === stamp.id);
  if (isCarried || (await readChangeItems(session, stamp.id)).has(before.uid)) return;
  const after = nextState(before, content, stamp);
  const writable = await prepareUnguardedWrite(session, feature, before);
  const { isStored } = await writeEnvironment(session, feature, writable, after);
  if (!isStored) throw new ConcurrentChange();
}

async function deleteEnvironment(session: Session, stored: EnvironmentItem | undefined): Promise<void> {
  if (stored) await removeItem(session, stored).catch(ignoreConflict);
}
