/**
 * Deletes a feature, whose content is kept for 30 days, and restores it. What each function adds to the one below it:
 *
 *   deleteFeatureForCaller   the answer, and the messages for callers of the API
 *   deleteOrComplete         the completion of an interrupted deletion
 *   deleteOnce               an id for each round
 *   deleteFeature            one deletion, which a write conflict ends
 */
import type { Clock } from "../clock.ts";
import { ApiError, NotFoundError, rethrowAsUnknownOutcome, toApiError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { notInProject } from "../contract/not-found.ts";
import type { Deletion } from "../contract/responses/features.ts";
import { newId } from "../features/ids.ts";
import type { Target } from "../features/model.ts";
import type { Stamp } from "../features/stamp.ts";
import { tagsOf } from "../features/tags/tag-list.ts";
import { alreadyExists, createWholeFeature, isCreatedBy } from "./create-feature.ts";
import {
  type DeletedFeature,
  type FeatureDeletionItem,
  featureDeletionItem,
  keptContentItem,
  readDeletions,
  restorableUntil,
} from "./deletions.ts";
import { inParallel, putItems } from "./dynamodb/batches.ts";
import type { Session } from "./dynamodb/session.ts";
import type { FeatureItem } from "./items/items.ts";
import { contentOfItem } from "./items/stored-content.ts";
import { completeDeletion, removeEnvironment } from "./leftovers.ts";
import { type FoundFeature, readStoredFeature } from "./read-items.ts";
import { removeItem, runRounds, withMessageForCaller } from "./replace-item.ts";

/** Deletes a feature for a caller of the API, or completes its deletion. */
export async function deleteFeatureForCaller(
  session: Session,
  clock: Clock,
  target: Target,
  stamp: Stamp,
): Promise<Deletion> {
  const { project, feature: name } = target;
  const deletionItem = await withMessageForCaller(
    name,
    deleteOrComplete(session, clock, target, stamp),
  ).catch((error) => {
    const isUnknown = error instanceof ApiError && error.mayBeStored;
    throw isUnknown ? error.with({ message: `${error.message}; send the request again` }) : error;
  });
  if (!deletionItem) throw notInProject(project, "feature", name);
  return { deletion: deletionItem.deletion.id, restorableUntil: restorableUntil(deletionItem) };
}

/** Returns undefined if the project has no such feature, and nothing that is left of its deletion. */
async function deleteOrComplete(
  session: Session,
  clock: Clock,
  { project, feature: name }: Target,
  stamp: Stamp,
): Promise<FeatureDeletionItem | undefined> {
  const stored = await readStoredFeature(session, name);
  const { item, environments } = stored;
  // Without the feature's item, an interrupted deletion or a creation may have left environments.
  const [leftover] = environments.values();
  if ((item ?? leftover)?.project !== project) return undefined;
  if (!item) return completeDeletion(session, stored);
  return runRounds<FeatureDeletionItem | undefined>(
    clock,
    () => deleteOnce(session, { item, environments }, stamp),
    () => deleteAfterConflict(session, item, stamp),
  );
}

/**
 * After a write conflict, deletes the feature if it is still the one that was read first. Another one, created since,
 * stays.
 */
async function deleteAfterConflict(session: Session, { name, uid }: FeatureItem, stamp: Stamp) {
  const stored = await readStoredFeature(session, name);
  const { item, environments } = stored;
  if (item?.uid === uid) return deleteOnce(session, { item, environments }, stamp);
  // This request or another one has deleted it.
  await completeDeletion(session, stored);
  const deletions = await readDeletions(session, name);
  return deletions.find(({ deletionItem }) => deletionItem.uid === uid)?.deletionItem;
}

/**
 * Each round makes a deletion with an id of its own. A put of an earlier round that arrives late has older tags: it
 * replaces nothing.
 */
function deleteOnce(session: Session, stored: FoundFeature, stamp: Stamp) {
  const id = newId();
  const deleting = deleteFeature(session, stored, {
    ...stamp,
    id,
    at: new Date().toISOString(),
  });
  return deleting.catch((thrown) => {
    const error = toApiError(thrown);
    throw error.mayBeStored ? error.with({ writeId: id }) : error;
  });
}

/** For a caller of the API, restores the feature of this name that was deleted last in the project. */
export async function restoreFeatureForCaller(
  session: Session,
  clock: Clock,
  { project, feature: name }: Target,
  stamp: Stamp,
): Promise<void> {
  const stored = await readStoredFeature(session, name);
  // First completes an interrupted deletion, so that the kept content has what patches have written since.
  await completeDeletion(session, stored);
  const { item } = stored;
  const deletions = await readDeletions(session, name);
  if (item && isCreatedBy(stamp, item, project)) {
    const own = deletions.find(({ deletionItem }) => deletionItem.deletion.id === item.creation?.restores);
    if (own) await withMessageForCaller(name, restoreFeature(session, clock, own, stamp));
    return;
  }
  const deleted = deletions.find(({ deletionItem }) => deletionItem.project === project);
  // Refuses even if the feature was deleted since this read: its leftovers may have a newer patch than the kept content.
  if (item && (deleted || item.project === project)) throw alreadyExists(item, project);
  if (deleted) return withMessageForCaller(name, restoreFeature(session, clock, deleted, stamp));
  throw new NotFoundError(
    `No feature "${name}" of project "${project}" was deleted in the last ${limits.keptDays} days`,
  );
}

/**
 * Deletes the feature and returns the deletion. Throws if the feature's item was changed, or deleted and created again,
 * since it was read.
 */
export async function deleteFeature(
  session: Session,
  { item, environments }: FoundFeature,
  stamp: Stamp,
): Promise<FeatureDeletionItem> {
  const all = [...environments.values()];
  const deletionItem = featureDeletionItem(item, stamp);
  await putItems(session, [deletionItem, ...all.map((environment) => keptContentItem(environment, stamp))]);
  await removeItem(session, item, item.revision)
    .then(() => inParallel(all, (environment) => removeEnvironment(session, environment, stamp)))
    .catch(rethrowAsUnknownOutcome);
  return deletionItem;
}

/** Creates the feature again. A retry with the same stamp finds what it has created. Throws if the name is taken. */
export async function restoreFeature(
  session: Session,
  clock: Clock,
  deleted: DeletedFeature,
  stamp: Stamp,
): Promise<void> {
  await createWholeFeature(
    session,
    clock,
    { ...contentToRestore(deleted), restores: deleted.deletionItem.deletion.id },
    stamp,
  );
}

/** Returns the content that the deleted feature had, in the environments that it had. */
export function contentToRestore({ deletionItem, contents }: DeletedFeature) {
  const { name, project, tags } = deletionItem;
  const restored = [...contents].map(
    ([environment, content]) => [environment, contentOfItem(content)] as const,
  );
  return { name, project, tags: tagsOf(tags), contents: new Map(restored) };
}
