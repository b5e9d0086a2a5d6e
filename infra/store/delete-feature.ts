/** Deletes a feature, whose content is kept for 30 days, and restores it. */
import type { Clock } from "../../lib/clock.ts";
import { type EnvironmentContent, newContent } from "../../lib/features/model.ts";
import type { Stamp } from "../../lib/features/stamp.ts";
import { tagsOf } from "../../lib/features/tags/tag-list.ts";
import { createWholeFeature, requireNotBeingCreated } from "../../lib/store/create-feature.ts";
import { type EnvironmentItem, environmentKey } from "../../lib/store/items.ts";
import { getItem } from "../../lib/store/read-items.ts";
import { removeItem, retryConflicts, unlessConflict } from "../../lib/store/replace-item.ts";
import type { Session } from "../../lib/store/session.ts";
import { contentOfItem } from "../../lib/store/stored-content.ts";
import type { FeatureContent } from "./content.ts";
import { featureDeletion, type KeptFeature, keptItem, putDeletionItems, readDeletions } from "./deletions.ts";
import { inParallel } from "./open-table.ts";
import { readStoredFeature, type StoredFeature } from "./read-table.ts";

/** Throws if the feature's item was changed, or deleted and created again, since it was read. */
export async function deleteFeature(session: Session, stored: StoredFeature, stamp: Stamp): Promise<void> {
  const { item, environments } = stored;
  if (!item) return removeLeftovers(session, stored);
  const all = [...environments.values()];
  await putDeletionItems(session, [featureDeletion(item, stamp), ...all.map((one) => keptItem(one, stamp))]);
  await removeItem(session, item, item.revision);
  await inParallel(all, (one) => removeEnvironment(session, one, stamp));
}

/**
 * Completes a deletion that was interrupted after it deleted the feature's item, or removes what a creation left behind.
 */
export async function completeDeletion(
  session: Session,
  clock: Clock,
  name: string,
  stamp: Stamp,
): Promise<boolean> {
  return retryConflicts(async () => {
    const stored = await readStoredFeature(session, name);
    if (stored.item || stored.environments.size === 0) return false;
    requireNotBeingCreated(undefined, stored.environments, stamp);
    await removeLeftovers(session, stored);
    return true;
  }, clock);
}

async function removeLeftovers(session: Session, { environments }: StoredFeature): Promise<void> {
  const all = [...environments.values()];
  const deletions = await readDeletions(session, all[0]?.feature ?? "");
  await inParallel(all, async (left) => {
    const isOf = ({ environments: kept }: KeptFeature) => kept.get(left.environment)?.uid === left.uid;
    const deletion = deletions.find(isOf)?.item.deletion;
    if (deletion) await putDeletionItems(session, [keptItem(left, deletion)]);
    await removeEnvironment(session, left, deletion);
  });
}

/**
 * Removes an environment. A patch that has read the feature before the deletion may write to the environment until its
 * item is gone, so what such a patch has written is kept too.
 */
async function removeEnvironment(
  session: Session,
  read: EnvironmentItem,
  deletion: Pick<Stamp, "id" | "at"> | undefined,
): Promise<void> {
  const tableKey = environmentKey(read.feature, read.environment);
  for (let left: EnvironmentItem | undefined = read; left?.uid === read.uid; ) {
    if (left !== read && deletion) await putDeletionItems(session, [keptItem(left, deletion)]);
    try {
      return await removeItem(session, left, left.revision);
    } catch (error) {
      unlessConflict(error);
    }
    left = await getItem<EnvironmentItem>(session, tableKey);
  }
}

/** Creates the feature again. A retry with the same stamp finds what it has created. Throws if the name is taken. */
export async function restoreFeature(
  session: Session,
  clock: Clock,
  { deletion, content }: { deletion: string; content: FeatureContent },
  stamp: Stamp,
): Promise<void> {
  const { name, project, tags, environments: contents } = content;
  await createWholeFeature(session, clock, { project, name, tags, contents, restores: deletion }, stamp);
}

/** Returns the content that the feature had, in the environments that its project has now. In a new one it is off. */
export function restoredContent(
  { item, environments }: KeptFeature,
  ofProject: readonly string[],
): FeatureContent {
  const contents = ofProject.map((environment): [string, EnvironmentContent] => {
    const kept = environments.get(environment);
    return [environment, kept ? contentOfItem(kept) : newContent];
  });
  const { name, project, tags } = item;
  return { name, project, tags: tagsOf(tags), environments: new Map(contents) };
}
