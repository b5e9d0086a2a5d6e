/** Lists what was made, deleted and restored, and what was done to API keys, from the items that say so. */
import { dayMs, limits } from "../../lib/contract/limits.ts";
import {
  type ApiKeyItem,
  type Creation,
  isFeatureItem,
  type KeyEvent,
  keyHashOf,
  type ProjectItem,
  type TableKey,
} from "../../lib/store/items.ts";
import {
  type DeletionItem,
  type FeatureDeletionItem,
  isDeletionItem,
  newestOfEach,
  restorableUntil,
  subjectOf,
} from "./deletions.ts";

/** Of an API key, a project or a feature. Unlike a change, it has no difference and no undo. */
export interface LifeRecord extends Omit<Creation, "restores"> {
  kind: "key" | "project" | "feature";
  name: string;
  did: KeyEvent["did"] | "deleted" | "restored";
  /** Of a feature. */
  project?: string;
  /** Of a key: the first characters of its hash, as in the log. */
  keyHash?: string;
  /** Of a feature that was deleted. */
  restorableUntil?: string;
}

const shownCharacters = 8;

/** Those of the last 30 days, in any order. */
export function recordsOf(items: readonly TableKey[]): LifeRecord[] {
  const present = items.flatMap((item): Subject[] => {
    if (isFeatureItem(item)) return [{ kind: "feature", ...item }];
    return isProjectItem(item) ? [{ kind: "project", ...item, name: item.id }] : [];
  });
  const there = new Set(present.map(subjectOf));
  // A deletion that was interrupted before its end is none.
  const deletions = newestOfEach(items.filter(isDeletionItem)).filter((item) => !there.has(subjectOf(item)));
  const since = Date.now() - limits.changeDays * dayMs;
  return [
    ...[...present, ...deletions].flatMap(creationRecord),
    ...deletions.map(deletionRecord),
    ...items.filter(isKeyItem).flatMap(keyRecords),
  ].filter(({ at }) => Date.parse(at) >= since);
}

type Subject = Pick<DeletionItem, "kind" | "name" | "creation"> & { project?: string };

const isProjectItem = (item: TableKey): item is ProjectItem => item.pk.startsWith("PROJECT#");
const isKeyItem = (item: TableKey): item is ApiKeyItem => item.pk.startsWith("KEY#");

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
  const keyHash = keyHashOf(item).slice(0, shownCharacters);
  return (item.log ?? []).map((event) => ({ kind: "key", name: item.name, keyHash, ...event }));
}
