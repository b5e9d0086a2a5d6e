/**
 * Removes environments that have no feature any more. If an interrupted deletion has left them, this deletion first keeps
 * their content.
 */
import {
  type DeletedFeature,
  type FeatureDeletionItem,
  keptContentItem,
  readDeletedFeatures,
} from "./deletion-items.ts";
import { inParallel, putItems } from "./dynamodb/batches.ts";
import type { Session } from "./dynamodb/session.ts";
import { type Authorship, type EnvironmentItem, environmentTableKey } from "./items/items.ts";
import { getItem, type StoredFeature } from "./read-items.ts";
import { ignoreConflict, removeItem } from "./replace-item.ts";

/** An environment without a feature: a deletion or a creation was interrupted, or a creation still runs. */
interface Leftover {
  environment: EnvironmentItem;
  /** The item of the deletion that was to remove the environment; undefined if a creation has left it. */
  deletionItem: FeatureDeletionItem | undefined;
}

/**
 * Completes a deletion that was interrupted after it deleted the feature's item, and returns its deletion item. The
 * leftovers of a creation stay.
 */
export async function completeDeletion(
  session: Session,
  stored: StoredFeature,
): Promise<FeatureDeletionItem | undefined> {
  const leftovers = await findLeftovers(session, stored);
  return removeLeftovers(
    session,
    leftovers.filter(({ deletionItem }) => deletionItem),
  );
}

/**
 * Removes the leftovers of creations too, and returns the item of the deletion that this completes, if there is one.
 * Removes the reservation first: a creation that still runs does not store a feature whose environments are gone.
 */
export async function removeAllLeftovers(
  session: Session,
  stored: StoredFeature,
): Promise<FeatureDeletionItem | undefined> {
  const { reservation } = stored;
  if (reservation) await removeItem(session, reservation, reservation.revision);
  return removeLeftovers(session, await findLeftovers(session, stored));
}

async function findLeftovers(session: Session, { item, environments }: StoredFeature): Promise<Leftover[]> {
  const all = [...environments.values()];
  if (item || !all[0]) return [];
  const deletedFeatures = await readDeletedFeatures(session, all[0].feature);
  return all.map((environment) => {
    const hasContent = ({ contents }: DeletedFeature) =>
      contents.get(environment.environment)?.uid === environment.uid;
    return { environment, deletionItem: deletedFeatures.find(hasContent)?.deletionItem };
  });
}

async function removeLeftovers(
  session: Session,
  leftovers: readonly Leftover[],
): Promise<FeatureDeletionItem | undefined> {
  await inParallel(leftovers, async ({ environment, deletionItem }) => {
    const deletion = deletionItem?.deletion;
    if (deletion) await putItems(session, [keptContentItem(environment, deletion)]);
    await removeEnvironment(session, environment, deletion);
  });
  return leftovers.find(({ deletionItem }) => deletionItem)?.deletionItem;
}

/**
 * Removes an environment. A patch that has read the feature before its deletion can still write the environment until
 * the environment's item is gone. What it has written is kept too, if the environment is removed by a deletion.
 */
export async function removeEnvironment(
  session: Session,
  before: EnvironmentItem,
  deletion: Pick<Authorship, "id" | "at"> | undefined,
): Promise<void> {
  const tableKey = environmentTableKey(before.feature, before.environment);
  let left: EnvironmentItem | undefined = before;
  // Each further pass follows a write by a request that has read the feature before its deletion. These requests end, and
  // no later one finds the feature.
  while (left?.uid === before.uid) {
    if (left !== before && deletion) await putItems(session, [keptContentItem(left, deletion)]);
    try {
      await removeItem(session, left, left.revision);
      return;
    } catch (error) {
      ignoreConflict(error);
    }
    left = await getItem<EnvironmentItem>(session, tableKey);
  }
}
