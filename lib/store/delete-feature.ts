/** Deletes a feature, whose content is kept for 30 days, and restores it. */
import type { Clock } from "../clock.ts";
import { ApiError, failAsUnknownOutcome, NotFoundError } from "../contract/errors.ts";
import type { Deletion } from "../contract/responses.ts";
import { newId, type Stamp } from "../features/stamp.ts";
import { tagsOf } from "../features/tags/tag-list.ts";
import { inParallel } from "./batches.ts";
import { alreadyExists, createWholeFeature, type FeatureToCreate, forCaller } from "./create-feature.ts";
import {
  type FeatureDeletionItem,
  featureDeletion,
  type KeptFeature,
  keptItem,
  putDeletionItems,
  readDeletions,
  restorableUntil,
} from "./deletions.ts";
import { type EnvironmentItem, environmentKey } from "./items.ts";
import { getItem, readStoredFeature, type StoredFeature } from "./read-items.ts";
import { ignoreConflict, removeItem, retryConflicts } from "./replace-item.ts";
import type { Session } from "./session.ts";
import { contentOfItem } from "./stored-content.ts";

type FeatureOfProject = Pick<FeatureToCreate, "project" | "name">;

/** Deletes a feature for a caller of the API, or completes its deletion. */
export async function deleteFeatureForCaller(
  session: Session,
  clock: Clock,
  { project, name }: FeatureOfProject,
  stamp: Stamp,
): Promise<Deletion> {
  const attempt = async (): Promise<Deletion> => {
    const stored = await readStoredFeature(session, name);
    const { item = stored.environments.values().next().value } = stored;
    const deletion =
      item?.project === project &&
      (stored.item ? await deleteAnew(session, stored, stamp) : await completeDeletion(session, stored));
    if (!deletion) throw new NotFoundError(`Project "${project}" has no feature "${name}"`);
    return { deletion: deletion.deletion.id, restorableUntil: restorableUntil(deletion) };
  };
  return forCaller(name, retryConflicts(attempt, clock)).catch((error) => {
    const isUnknown = error instanceof ApiError && error.mayBeStored;
    throw isUnknown ? error.with({ message: `${error.message}; send the request again` }) : error;
  });
}

/** Each attempt is a deletion of its own, because another feature may have been read. */
function deleteAnew(session: Session, stored: StoredFeature, stamp: Stamp) {
  return deleteFeature(session, stored, { ...stamp, id: newId(), at: new Date().toISOString() });
}

/** Restores the last deleted feature of this name in the project for a caller of the API. */
export async function restoreFeatureForCaller(
  session: Session,
  clock: Clock,
  { project, name }: FeatureOfProject,
  stamp: Stamp,
): Promise<void> {
  const stored = await readStoredFeature(session, name);
  // What a patch has written to it while it was being deleted is kept then.
  await completeDeletion(session, stored);
  const kept = (await readDeletions(session, name)).find(({ item }) => item.project === project);
  if (kept) return forCaller(name, restoreFeature(session, clock, kept, stamp));
  if (stored.item?.project === project) throw alreadyExists(stored.item, project);
  throw new NotFoundError(`No feature "${name}" of project "${project}" was deleted in the last 30 days`);
}

/**
 * Returns the deletion. Throws if the feature's item was changed, or deleted and created again, since it was read. Of a
 * feature without an item it removes what is left.
 */
export async function deleteFeature(
  session: Session,
  stored: StoredFeature,
  stamp: Stamp,
): Promise<FeatureDeletionItem | undefined> {
  const { item, environments } = stored;
  if (!item) return removeLeftovers(session, stored, { areOfDeletion: false });
  const all = [...environments.values()];
  const deletion = featureDeletion(item, stamp);
  await putDeletionItems(session, [deletion, ...all.map((one) => keptItem(one, stamp))]);
  const removed = removeItem(session, item, item.revision).then(() =>
    inParallel(all, (one) => removeEnvironment(session, one, stamp)),
  );
  await failAsUnknownOutcome(removed);
  return deletion;
}

/**
 * Completes and returns a deletion that was interrupted after it deleted the feature's item. What a creation has left, or
 * is about to complete, stays.
 */
export async function completeDeletion(
  session: Session,
  stored: StoredFeature,
): Promise<FeatureDeletionItem | undefined> {
  return stored.item ? undefined : removeLeftovers(session, stored, { areOfDeletion: true });
}

async function removeLeftovers(
  session: Session,
  { environments }: StoredFeature,
  { areOfDeletion }: { areOfDeletion: boolean },
): Promise<FeatureDeletionItem | undefined> {
  const all = [...environments.values()];
  if (!all[0]) return undefined;
  const deletions = await readDeletions(session, all[0].feature);
  const completed = await inParallel(all, async (left) => {
    const isOf = ({ environments: kept }: KeptFeature) => kept.get(left.environment)?.uid === left.uid;
    const deletion = deletions.find(isOf)?.item;
    if (deletion) await putDeletionItems(session, [keptItem(left, deletion.deletion)]);
    if (deletion || !areOfDeletion) await removeEnvironment(session, left, deletion?.deletion);
    return deletion;
  });
  return completed.find((deletion) => deletion !== undefined);
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
      ignoreConflict(error);
    }
    left = await getItem<EnvironmentItem>(session, tableKey);
  }
}

/** Creates the feature again. A retry with the same stamp finds what it has created. Throws if the name is taken. */
export async function restoreFeature(
  session: Session,
  clock: Clock,
  kept: KeptFeature,
  stamp: Stamp,
): Promise<void> {
  await createWholeFeature(session, clock, { ...keptContent(kept), restores: kept.item.deletion.id }, stamp);
}

/** What the feature had. The environments are those that it had then. */
export function keptContent({ item: { name, project, tags }, environments }: KeptFeature) {
  const contents = [...environments].map(
    ([environment, kept]) => [environment, contentOfItem(kept)] as const,
  );
  return { name, project, tags: tagsOf(tags), environments: new Map(contents) };
}
