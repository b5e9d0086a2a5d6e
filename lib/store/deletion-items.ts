/**
 * Keeps the content of deleted features and projects for 30 days, in a partition that nothing else reads. The deletion
 * of a feature writes in this order:
 *
 *   put        the deletion, and the content of each environment
 *   delete     the feature's item, on the condition that it is as it was read
 *   delete     each environment, on the same condition. If a patch has changed it, its new content is put first
 *
 * A deletion that is interrupted before it deletes the feature's item has no effect. After that, the next deletion,
 * restoration or creation of this name completes it.
 */

import { idFrom, type Stamp } from "../features/stamp.ts";
import type { Session } from "./dynamodb/session.ts";
import {
  type AnyItem,
  type Authorship,
  authorshipOf,
  type Creation,
  type EnvironmentItem,
  type Expiring,
  type FeatureItem,
  keptSeconds,
  type ProjectItem,
  ttlAfter,
} from "./items/items.ts";
import { pickStoredContent, type StoredContent } from "./items/stored-content.ts";
import { readPartition } from "./read-items.ts";

export interface DeletionItem extends Expiring {
  kind: "feature" | "project";
  name: string;
  /** Who made the deletion, when and why, and its id. */
  deletion: Authorship;
  /** The uid of a deleted feature; absent for a project. */
  uid?: string;
  creation?: Creation;
  /** The revision of the item that was to be deleted, if such items have one. */
  revision?: number;
}

export interface FeatureDeletionItem
  extends DeletionItem,
    Pick<FeatureItem, "project" | "environments" | "tags"> {
  kind: "feature";
  uid: string;
}

/** The kept content of an environment, at a revision. */
interface KeptContentItem
  extends Expiring,
    StoredContent,
    Pick<EnvironmentItem, "environment" | "uid" | "revision"> {
  deletionId: string;
}

/** A deleted feature, with the newest revision that was kept of each environment. */
export interface DeletedFeature {
  deletionItem: FeatureDeletionItem;
  contents: ReadonlyMap<string, KeptContentItem>;
}

export const deletionPartition = (kind: DeletionItem["kind"], name: string) => `DELETED#${kind}#${name}`;
/** The sort key of a deletion is its id, without a "#"; that of a kept content has one. */
export const isDeletionItem = (item: AnyItem): item is DeletionItem =>
  item.pk.startsWith("DELETED#") && !item.sk.includes("#");

const expiryOf = ({ at }: Pick<Stamp, "at">): number => ttlAfter(at, keptSeconds);

export const restorableUntil = ({ ttl }: Pick<Expiring, "ttl">): string => new Date(ttl * 1000).toISOString();

export function projectDeletionItem({ id, creation }: ProjectItem, stamp: Stamp): DeletionItem {
  return toDeletionItem("project", { name: id, ...(creation && { creation }) }, stamp);
}

/**
 * Returns the id of a feature's deletion. It follows from the revision that is deleted. So concurrent deletions of one
 * revision have the same id, and a late put of an older revision, with older tags, is another item: it replaces nothing.
 */
export function deletionIdOf({ uid, revision }: Pick<FeatureItem, "uid" | "revision">): string {
  return idFrom([uid, revision]);
}

export function featureDeletionItem(item: FeatureItem, stamp: Stamp): FeatureDeletionItem {
  const { uid, name, project, environments, tags, creation, revision } = item;
  const deleted = { uid, name, project, environments, tags, revision, ...(creation && { creation }) };
  return toDeletionItem("feature", deleted, stamp);
}

function toDeletionItem<Kind extends DeletionItem["kind"], Deleted extends { name: string }>(
  kind: Kind,
  deleted: Deleted,
  stamp: Stamp,
) {
  const tableKey = { pk: deletionPartition(kind, deleted.name), sk: stamp.id };
  return { ...tableKey, kind, ...deleted, deletion: authorshipOf(stamp), ttl: expiryOf(stamp) };
}

/** Each revision is an item of its own, so that a late put of an older revision replaces nothing. */
export function keptContentItem(
  item: EnvironmentItem,
  { id, at }: Pick<Stamp, "id" | "at">,
): KeptContentItem {
  const { feature, environment, uid, revision } = item;
  return {
    pk: deletionPartition("feature", feature),
    sk: `${id}#${revision}#${environment}`,
    deletionId: id,
    environment,
    uid,
    revision,
    ...pickStoredContent(item),
    ttl: expiryOf({ at }),
  };
}

/** Reads the deleted features of this name, the last deleted first. */
export async function readDeletedFeatures(session: Session, feature: string): Promise<DeletedFeature[]> {
  const items = (await readPartition(session, deletionPartition("feature", feature))) as Expiring[];
  const now = Date.now() / 1000;
  // DynamoDB deletes an expired item up to two days late.
  const unexpired = items.filter(({ ttl }) => ttl > now);
  const contents = (unexpired.filter((item) => !isDeletionItem(item)) as KeptContentItem[]).sort(
    (left, right) => left.revision - right.revision,
  );
  const deletionItems = unexpired.filter((item): item is FeatureDeletionItem & Expiring =>
    isDeletionItem(item),
  );
  return newestOfEach(deletionItems).map((deletionItem) => {
    const keptUids = contents.flatMap(({ deletionId, uid }) =>
      deletionId === deletionItem.deletion.id ? uid : [],
    );
    // The newest revision of each environment counts, whichever deletion kept it: `contents` are sorted, and a Map keeps
    // the last content of each environment.
    const contentsOfFeature = contents.filter(({ uid }) => keptUids.includes(uid));
    return {
      deletionItem,
      contents: new Map(contentsOfFeature.map((content) => [content.environment, content])),
    };
  });
}

/**
 * Returns one item for each deleted feature or project, newest first. Only the deletion of the newest revision can have
 * succeeded: the others were refused or interrupted.
 */
export function newestOfEach<Item extends DeletionItem>(deletionItems: readonly Item[]): Item[] {
  const byTime = (left: Item, right: Item) => left.deletion.at.localeCompare(right.deletion.at);
  const sorted = [...deletionItems].sort(
    (left, right) => (left.revision ?? 0) - (right.revision ?? 0) || byTime(left, right),
  );
  const lastOfEach = new Map(sorted.map((item) => [subjectOf(item), item]));
  return [...lastOfEach.values()].sort((left, right) => byTime(right, left));
}

/**
 * Identifies a feature or project among those that had its name. A feature has its uid, because two creations with one
 * idempotency key have the same id. A project has the id of its creation, because each write gives it another uid.
 */
export const subjectOf = ({
  kind,
  name,
  uid,
  creation,
}: Pick<DeletionItem, "kind" | "name" | "uid" | "creation">): string =>
  JSON.stringify([kind, name, kind === "feature" ? uid : creation?.id]);
