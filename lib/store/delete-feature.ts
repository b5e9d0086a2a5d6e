/** Deletes a feature, whose content is kept for 30 days, and restores it. */
import type { Clock } from "../clock.ts";
import { ApiError, failAsUnknownOutcome, NotFoundError } from "../contract/errors.ts";
import type { Deletion } from "../contract/responses.ts";
import type { Target } from "../features/model.ts";
import { newId, type Stamp } from "../features/stamp.ts";
import { tagsOf } from "../features/tags/tag-list.ts";
import { inParallel } from "./batches.ts";
import { alreadyExists, createWholeFeature, forCaller, isOf } from "./create-feature.ts";
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

/** Deletes a feature for a caller of the API, or completes its deletion. */
export async function deleteFeatureForCaller(
  session: Session,
  clock: Clock,
  { project, feature: name }: Target,
  stamp: Stamp,
): Promise<Deletion> {
  /** The feature that the first round has found. Another one, created later with its name, stays. */
  let uid: string | undefined;
  const round = async (): Promise<FeatureDeletionItem | undefined> => {
    const stored = await readStoredFeature(session, name);
    uid ??= stored.item?.uid;
    if (stored.item?.uid !== uid) return findDeletion(session, name, stored, uid);
    const remove = stored.item ? deleteAnew : completeDeletion;
    return projectOf(stored) === project ? await remove(session, stored, stamp) : undefined;
  };
  const item = await forCaller(name, retryConflicts(round, clock)).catch((error) => {
    const isUnknown = error instanceof ApiError && error.mayBeStored;
    throw isUnknown ? error.with({ message: `${error.message}; send the request again` }) : error;
  });
  if (!item) throw new NotFoundError(`Project "${project}" has no feature "${name}"`);
  return { deletion: item.deletion.id, restorableUntil: restorableUntil(item) };
}

/** Finds the deletion of a feature that is gone since an earlier round: this request has deleted it, or another one. */
async function findDeletion(session: Session, name: string, stored: StoredFeature, uid: string | undefined) {
  await completeDeletion(session, stored);
  const deletions = await readDeletions(session, name);
  return deletions.find(({ item }) => item.uid === uid)?.item;
}

/** Returns the project of the feature. An interrupted deletion may have left only environments, which name the project too. */
function projectOf({ item, environments }: StoredFeature): string | undefined {
  const [left] = environments.values();
  return (item ?? left)?.project;
}

/** Each round makes a deletion of its own, so that a late copy of an earlier one, with older tags, replaces nothing. */
function deleteAnew(session: Session, stored: StoredFeature, stamp: Stamp) {
  const deletionId = newId();
  const deleting = deleteFeature(session, stored, {
    ...stamp,
    id: deletionId,
    at: new Date().toISOString(),
  });
  return deleting.catch((error) => {
    throw error instanceof ApiError ? error.with({ deletionId }) : error;
  });
}

/** Restores the last deleted feature of this name in the project for a caller of the API. */
export async function restoreFeatureForCaller(
  session: Session,
  clock: Clock,
  { project, feature: name }: Target,
  stamp: Stamp,
): Promise<void> {
  const stored = await readStoredFeature(session, name);
  // Completes an interrupted deletion first: that keeps what a patch has written to the feature meanwhile.
  await completeDeletion(session, stored);
  if (stored.item && isOf(stored.item, project, stamp)) return;
  const kept = (await readDeletions(session, name)).find(({ item }) => item.project === project);
  // Not even if the feature is deleted by now: what is left of it may have a later patch than what was kept.
  if (stored.item && (kept || stored.item.project === project)) throw alreadyExists(stored.item, project);
  if (kept) return forCaller(name, restoreFeature(session, clock, kept, stamp));
  throw new NotFoundError(`No feature "${name}" of project "${project}" was deleted in the last 30 days`);
}

/**
 * Deletes the feature and returns the deletion. Throws if the feature's item was changed, or deleted and created again, since
 * it was read. If there is no item, removes the environments that are left.
 */
export async function deleteFeature(
  session: Session,
  stored: StoredFeature,
  stamp: Stamp,
): Promise<FeatureDeletionItem | undefined> {
  const { item, environments } = stored;
  if (!item) return removeLeftovers(session, stored, "all");
  const all = [...environments.values()];
  const deletionItem = featureDeletion(item, stamp);
  await putDeletionItems(session, [deletionItem, ...all.map((environment) => keptItem(environment, stamp))]);
  const removed = removeItem(session, item, item.revision).then(() =>
    inParallel(all, (environment) => removeEnvironment(session, environment, stamp)),
  );
  await failAsUnknownOutcome(removed);
  return deletionItem;
}

/**
 * Completes and returns a deletion that was interrupted after it deleted the feature's item. Environments of a creation that
 * was interrupted, or is not complete yet, stay.
 */
export async function completeDeletion(
  session: Session,
  stored: StoredFeature,
): Promise<FeatureDeletionItem | undefined> {
  return stored.item ? undefined : removeLeftovers(session, stored, "of a deletion");
}

async function removeLeftovers(
  session: Session,
  { environments }: StoredFeature,
  scope: "all" | "of a deletion",
): Promise<FeatureDeletionItem | undefined> {
  const all = [...environments.values()];
  if (!all[0]) return undefined;
  const deletions = await readDeletions(session, all[0].feature);
  const completed = await inParallel(all, async (left) => {
    const isOf = ({ environments: kept }: KeptFeature) => kept.get(left.environment)?.uid === left.uid;
    const item = deletions.find(isOf)?.item;
    if (item) await putDeletionItems(session, [keptItem(left, item.deletion)]);
    if (item || scope === "all") await removeEnvironment(session, left, item?.deletion);
    return item;
  });
  return completed.find((item) => item !== undefined);
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

/** Returns the content that the deleted feature had, in the environments that it had. */
export function keptContent({ item: { name, project, tags }, environments }: KeptFeature) {
  const contents = [...environments].map(
    ([environment, kept]) => [environment, contentOfItem(kept)] as const,
  );
  return { name, project, tags: tagsOf(tags), environments: new Map(contents) };
}
