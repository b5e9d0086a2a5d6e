/** Lists the creations, deletions and restorations, and the events of API keys, from the items that store them. */
import { shownHashCharacters } from "../../lib/access/authenticate.ts";
import { dayMs, limits } from "../../lib/contract/limits.ts";
import {
  type DeletionItem,
  type FeatureDeletionItem,
  isDeletionItem,
  newestOfEach,
  restorableUntil,
  subjectOf,
} from "../../lib/store/deletion-items.ts";
import {
  type AnyItem,
  type ApiKeyItem,
  type Authorship,
  isApiKeyItem,
  isFeatureItem,
  type KeyEvent,
  keyHashOf,
  type ProjectItem,
} from "../../lib/store/items/items.ts";

/** An event in the life of an API key, a project or a feature. Unlike a change, it has no difference and no undo. */
export interface LifeRecord extends Authorship {
  kind: "key" | "project" | "feature";
  name: string;
  did: KeyEvent["did"] | "deleted" | "restored";
  /** The project of a feature. */
  project?: string;
  /** The first characters of a key's hash, as in the log. */
  keyHash?: string;
  /** The time until which a deleted feature can be restored. */
  restorableUntil?: string;
}

/** Returns the records of the last 30 days, in any order. */
export function recordsOf(items: readonly AnyItem[]): LifeRecord[] {
  const present = items.flatMap((item): Subject[] => {
    if (isFeatureItem(item)) return [{ kind: "feature", ...item }];
    return isProjectItem(item) ? [{ kind: "project", ...item, name: item.id }] : [];
  });
  const there = new Set(present.map(subjectOf));
  // A deletion of what still exists was interrupted, and does not count.
  const deletions = newestOfEach(items.filter(isDeletionItem)).filter((item) => !there.has(subjectOf(item)));
  const since = Date.now() - limits.keptDays * dayMs;
  return [
    ...[...present, ...deletions].flatMap(creationRecord),
    ...deletions.map(deletionRecord),
    ...items.filter(isApiKeyItem).flatMap(keyRecords),
  ].filter(({ at }) => Date.parse(at) >= since);
}

type Subject = Pick<DeletionItem, "kind" | "name" | "uid" | "creation"> & { project?: string };

const isProjectItem = (item: AnyItem): item is ProjectItem => item.pk.startsWith("PROJECT#");

function creationRecord(subject: Subject): LifeRecord[] {
  if (!subject.creation) return [];
  const { restores, ...creation } = subject.creation;
  return [{ ...placeOf(subject), did: restores === undefined ? "created" : "restored", ...creation }];
}

function deletionRecord(item: DeletionItem | FeatureDeletionItem): LifeRecord {
  const until = item.kind === "feature" ? { restorableUntil: restorableUntil(item) } : {};
  return { ...placeOf(item), did: "deleted", ...item.deletion, ...until };
}

function placeOf({ kind, name, project }: Subject) {
  return { kind, name, ...(project !== undefined && { project }) };
}

function keyRecords(item: ApiKeyItem): LifeRecord[] {
  const keyHash = keyHashOf(item).slice(0, shownHashCharacters);
  return (item.log ?? []).map((event) => ({ kind: "key", name: item.name, keyHash, ...event }));
}
