/** Deletes a feature, whose content is kept for 30 days, and restores it. */
import type { Clock } from "../clock.ts";
import { NotFoundError, notInProject, rethrowAsUnknownOutcome, toApiError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Deletion } from "../contract/responses/features.ts";
import { etagOfFeature, requirePreconditions } from "../features/etags.ts";
import type { Preconditions, Target } from "../features/model.ts";
import type { Stamp } from "../features/stamp.ts";
import { tagsOf } from "../features/tags/tag-list.ts";
import { alreadyExists, createFeature, isCreatedBy } from "./create-feature.ts";
import {
  type DeletedFeature,
  deletionIdOf,
  type FeatureDeletionItem,
  featureDeletionItem,
  keptContentItem,
  readDeletedFeatures,
  restorableUntil,
} from "./deletion-items.ts";
import { inParallel, putItems } from "./dynamodb/batches.ts";
import type { Session } from "./dynamodb/session.ts";
import type { FeatureItem } from "./items/items.ts";
import { contentOfItem } from "./items/stored-content.ts";
import { completeDeletion, removeEnvironment } from "./leftovers.ts";
import { type FoundFeature, readStoredFeature, type StoredFeature } from "./read-items.ts";
import { removeItem, runRounds } from "./replace-item.ts";

/** Deletes a feature for a caller of the API, or completes its deletion. */
export async function deleteFeatureForCaller(
  session: Session,
  clock: Clock,
  target: Target,
  preconditions: Preconditions,
  stamp: Stamp,
): Promise<Deletion> {
  const { project, feature: name } = target;
  // The feature as the newest round has found it. A feature that has got this name since the first round stays.
  let found: FeatureItem | undefined;
  const deletionItem = await runRounds(clock, async () => {
    const stored = await readStoredFeature(session, name);
    const { item, environments } = stored;
    const isWanted = found ? item?.uid === found.uid : item?.project === project;
    const toDelete = isWanted ? item : undefined;
    if (!toDelete) {
      return found
        ? completeAndFindDeletion(session, stored, found)
        : completeAnyDeletion(session, stored, project);
    }
    found = toDelete;
    const states = toDelete.environments.flatMap((one) => environments.get(one) ?? []);
    const etag = etagOfFeature(target, { tagState: toDelete, states });
    requirePreconditions(preconditions, { etag, what: "feature" });
    return deleteFeature(session, { item: toDelete, environments }, stamp);
  }).catch((thrown) => {
    const error = toApiError(thrown);
    const message = `${error.message}; send the request again`;
    throw found && error.mayBeStored ? error.with({ message, writeId: deletionIdOf(found) }) : error;
  });
  if (!deletionItem) throw notInProject(project, "feature", name);
  return { deletion: deletionItem.deletion.id, restorableUntil: restorableUntil(deletionItem) };
}

/** Completes the deletion of a feature that this request or another one has deleted since an earlier round found it. */
async function completeAndFindDeletion(
  session: Session,
  stored: StoredFeature,
  { name, uid }: FeatureItem,
): Promise<FeatureDeletionItem | undefined> {
  await completeDeletion(session, stored);
  return findDeletionItem(session, name, uid);
}

/** Completes an interrupted deletion in the project, if there is one, where the first round finds no feature. */
async function completeAnyDeletion(
  session: Session,
  stored: StoredFeature,
  project: string,
): Promise<FeatureDeletionItem | undefined> {
  const [leftover] = stored.environments.values();
  return leftover?.project === project ? completeDeletion(session, stored) : undefined;
}

/** For a caller of the API, restores the feature of this name that was deleted last in the project. */
export async function restoreFeatureForCaller(
  session: Session,
  clock: Clock,
  target: Target,
  stamp: Stamp,
): Promise<void> {
  try {
    await restoreLastDeleted(session, clock, target, stamp);
  } catch (error) {
    if (!(error instanceof DeletedAgain)) throw error;
    await restoreFeatureForCaller(session, clock, target, stamp);
  }
}

/** After the content to restore was read, other requests have restored the feature, and deleted it again. */
class DeletedAgain extends Error {}

async function restoreLastDeleted(
  session: Session,
  clock: Clock,
  { project, feature: name }: Target,
  stamp: Stamp,
): Promise<void> {
  const stored = await readStoredFeature(session, name);
  // First completes an interrupted deletion, so that the kept content has the patches that were written since.
  await completeDeletion(session, stored);
  const { item } = stored;
  const deletedFeatures = await readDeletedFeatures(session, name);
  const isInProject = ({ deletionItem }: DeletedFeature) => deletionItem.project === project;
  const restore = (deleted: DeletedFeature) =>
    restoreFeature(session, clock, deleted, stamp, async () => {
      const last = (await readDeletedFeatures(session, name)).find(isInProject);
      if (last && last.deletionItem.deletion.id !== deleted.deletionItem.deletion.id)
        throw new DeletedAgain();
    });
  if (item && isCreatedBy(stamp, item, project)) {
    const own = deletedFeatures.find(
      ({ deletionItem }) => deletionItem.deletion.id === item.creation?.restores,
    );
    if (own) await restore(own);
    return;
  }
  const deleted = deletedFeatures.find(isInProject);
  // `item` was read before `deletedFeatures`. If it was deleted in between, this refuses too, because its newest patch may
  // not be kept yet.
  if (item && (deleted || item.project === project)) throw alreadyExists(item, project);
  if (deleted) return restore(deleted);
  throw new NotFoundError(
    `No feature "${name}" of project "${project}" was deleted in the last ${limits.keptDays} days`,
  );
}

/**
 * Deletes the feature and returns the deletion's item, also if another request has deleted the feature since it was read.
 * Throws if the feature's item was changed, or deleted and created again, since it was read.
 */
export async function deleteFeature(
  session: Session,
  { item, environments }: FoundFeature,
  stamp: Stamp,
): Promise<FeatureDeletionItem> {
  const all = [...environments.values()];
  const deletionStamp = { ...stamp, id: deletionIdOf(item), at: new Date().toISOString() };
  const deletionItem = featureDeletionItem(item, deletionStamp);
  await putItems(session, [
    deletionItem,
    ...all.map((environment) => keptContentItem(environment, deletionStamp)),
  ]);
  const isRemoved = await removeItem(session, item, item.revision).catch(rethrowAsUnknownOutcome);
  await inParallel(all, (environment) => removeEnvironment(session, environment, deletionStamp)).catch(
    rethrowAsUnknownOutcome,
  );
  // Another request may have deleted a later revision.
  const other = isRemoved ? undefined : await findDeletionItem(session, item.name, item.uid);
  return other ?? deletionItem;
}

async function findDeletionItem(session: Session, name: string, uid: string) {
  const deletedFeatures = await readDeletedFeatures(session, name);
  return deletedFeatures.find(({ deletionItem }) => deletionItem.uid === uid)?.deletionItem;
}

/** Creates the feature again. A retry, whose stamp has the same id, finds what it has created. Throws if the name is taken. */
export async function restoreFeature(
  session: Session,
  clock: Clock,
  deleted: DeletedFeature,
  stamp: Stamp,
  requireCurrent?: () => Promise<void>,
): Promise<void> {
  const restores = deleted.deletionItem.deletion.id;
  const feature = { ...contentToRestore(deleted), restores, ...(requireCurrent && { requireCurrent }) };
  await createFeature(session, clock, feature, stamp);
}

/** Returns the content that the deleted feature had, in the environments that it had. */
export function contentToRestore({ deletionItem, contents }: DeletedFeature) {
  const { name, project, tags } = deletionItem;
  const restored = [...contents].map(
    ([environment, content]) => [environment, contentOfItem(content)] as const,
  );
  return { name, project, tags: tagsOf(tags), contents: new Map(restored) };
}
