/**
 * Keeps the content of deleted features and projects for 30 days, in a partition that nothing else reads:
 *
 *   put        the deletion, and the content of each environment
 *   delete     the feature, on the condition that its item is as it was read
 *   delete     each environment, on the same condition; if it was patched meanwhile, its new content is put first
 *
 * An interrupted deletion does not count while the feature's item exists. Once it is gone, the next command completes it.
 */
import type { Stamp } from "../../lib/features/stamp.ts";
import { writeItems } from "../../lib/store/batches.ts";
import {
  type AnyItem,
  type Creation,
  changeSeconds,
  type EnvironmentItem,
  type FeatureItem,
  type ProjectItem,
  type TableKey,
  toCreation,
  ttlAfter,
} from "../../lib/store/items.ts";
import { readPartition } from "../../lib/store/read-items.ts";
import type { Session } from "../../lib/store/session.ts";
import { type StoredContent, storedContentOf } from "../../lib/store/stored-content.ts";

interface Expiring extends TableKey {
  /** In seconds since 1970. */
  ttl: number;
}

export interface DeletionItem extends Expiring {
  kind: "feature" | "project";
  name: string;
  deletion: Creation;
  /** The creation of what was deleted, which distinguishes it from what gets the name later. */
  creation?: Creation;
}

export interface FeatureDeletionItem
  extends DeletionItem,
    Pick<FeatureItem, "project" | "environments" | "tags"> {
  kind: "feature";
}

/** The content of an environment at a revision. */
interface KeptItem
  extends Expiring,
    StoredContent,
    Pick<EnvironmentItem, "environment" | "uid" | "revision"> {
  /** The id of the deletion. */
  deletion: string;
}

/** A deletion of a feature, with the newest revision that was kept of each environment. */
export interface KeptFeature {
  item: FeatureDeletionItem;
  environments: ReadonlyMap<string, KeptItem>;
}

const partitionOf = (kind: DeletionItem["kind"], name: string) => `DELETED#${kind}#${name}`;
/** The id of a deletion has no "#". */
export const isDeletionItem = (item: AnyItem): item is DeletionItem =>
  item.pk.startsWith("DELETED#") && !item.sk.includes("#");

export const expiryOf = ({ at }: Pick<Stamp, "at">): number => ttlAfter(at, changeSeconds);

export const restorableUntil = ({ ttl }: Pick<Expiring, "ttl">): string => new Date(ttl * 1000).toISOString();

export function projectDeletion({ id, creation }: ProjectItem, stamp: Stamp): DeletionItem {
  return deletionItem("project", { name: id, ...(creation && { creation }) }, stamp);
}

export function featureDeletion(item: FeatureItem, stamp: Stamp): FeatureDeletionItem {
  const { name, project, environments, tags, creation } = item;
  const had = { name, project, environments, tags, ...(creation && { creation }) };
  return deletionItem("feature", had, stamp);
}

function deletionItem<Kind extends DeletionItem["kind"], Had extends { name: string }>(
  kind: Kind,
  had: Had,
  stamp: Stamp,
) {
  const tableKey = { pk: partitionOf(kind, had.name), sk: stamp.id };
  return { ...tableKey, kind, ...had, deletion: toCreation(stamp), ttl: expiryOf(stamp) };
}

/** Each revision is an item of its own, so that a late copy of an earlier one replaces nothing. */
export function keptItem(item: EnvironmentItem, { id, at }: Pick<Stamp, "id" | "at">): KeptItem {
  const { feature, environment, uid, revision } = item;
  return {
    pk: partitionOf("feature", feature),
    sk: `${id}#${revision}#${environment}`,
    deletion: id,
    ...{ environment, uid, revision },
    ...storedContentOf(item),
    ttl: expiryOf({ at }),
  };
}

export function putDeletionItems(session: Session, items: readonly AnyItem[]): Promise<void> {
  return writeItems(
    session,
    items.map((Item) => ({ PutRequest: { Item } })),
  );
}

/** Reads the deletions of features of this name, newest first. */
export async function readDeletions(session: Session, feature: string): Promise<KeptFeature[]> {
  const items = (await readPartition(session, partitionOf("feature", feature))) as Expiring[];
  const now = Date.now() / 1000;
  // DynamoDB deletes an expired item up to two days late.
  const kept = items.filter(({ ttl }) => ttl > now);
  const contents = (kept.filter((item) => !isDeletionItem(item)) as KeptItem[]).sort(
    (left, right) => left.revision - right.revision,
  );
  const deletions = kept.filter((item): item is FeatureDeletionItem & Expiring => isDeletionItem(item));
  return newestOfEach(deletions).map((item) => {
    const own = contents.filter(({ deletion }) => deletion === item.deletion.id);
    return { item, environments: new Map(own.map((one) => [one.environment, one])) };
  });
}

/**
 * Returns the newest deletion of each feature or project, newest first. All earlier deletions of one were interrupted
 * before it was gone.
 */
export function newestOfEach<Item extends DeletionItem>(deletions: readonly Item[]): Item[] {
  const sorted = [...deletions].sort((left, right) => right.deletion.at.localeCompare(left.deletion.at));
  const subjects = sorted.map(subjectOf);
  return sorted.filter((item, index) => subjects.indexOf(subjectOf(item)) === index);
}

/** Identifies a feature or project. Without a creation it is the first of its name, from the first state. */
export const subjectOf = ({
  kind,
  name,
  creation,
}: Pick<DeletionItem, "kind" | "name" | "creation">): string => JSON.stringify([kind, name, creation?.id]);
