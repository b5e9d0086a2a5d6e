/** The items of the one table: their table keys and their attributes. */
import type { Permission } from "../../access/permissions.ts";
import { dayMs, limits } from "../../contract/limits.ts";
import type { ChangeRef } from "../../features/model.ts";
import { fingerprint, type Stamp } from "../../features/stamp.ts";
import type { TagMembers } from "../../features/tags/tag-list.ts";
import type { StoredChange, StoredState } from "./stored-content.ts";

export interface TableKey {
  pk: string;
  sk: string;
}

/** An item that DynamoDB deletes. */
export interface Expiring extends TableKey {
  /** When DynamoDB may delete the item, in seconds since 1970. */
  ttl: number;
}

/** An item of any kind. Functions such as `isFeatureItem` say which kind it is. */
export type AnyItem = TableKey;

/** An item with these attributes is in the index. */
export interface IndexAttributes {
  inList: string;
  /** The name that sorts the list. */
  listedAs: string;
}

/** The attributes that a creation sets in every feature and environment, and no other write touches. */
export type SetAtCreation = keyof (TableKey & IndexAttributes) | "uid" | "project";

/**
 * The id, the author, the time and the stored options of a creation, a deletion or a command, none of which has a
 * guard.
 */
export interface Authorship extends Pick<Stamp, "id" | "by" | "at" | "reason"> {}

export function authorshipOf({
  requestId: _,
  requestHash: __,
  guard: ___,
  ...authorship
}: Stamp): Authorship {
  // Does not compile if a stamp gets an option that is neither left out nor named in `Authorship`.
  authorship satisfies Record<Exclude<keyof typeof authorship, keyof Authorship>, never>;
  return authorship;
}

/**
 * The creation of a feature or a project, for `history`. No later write of the item replaces it, and items of the first
 * state lack it. Other items store their creation in another form: an environment as the stamp `created`, by which its put
 * is recognised (`replaceItem`), and an API key as the time `createdAt`, because its `log` has the rest.
 */
export interface Creation extends Authorship {
  /** The id of the deletion that this creation takes back. */
  restores?: string;
}

/** What a command of an operator did to an API key. */
export interface KeyEvent extends Authorship {
  did: "created" | "changed" | "disabled" | "enabled" | "rotated" | "revoked";
}

/** The key itself is never stored: the table key has its SHA-256. */
export interface ApiKeyItem extends TableKey, IndexAttributes {
  name: string;
  permissions: Permission[];
  createdAt: string;
  expiresAt?: string;
  disabled?: boolean;
  /** When a rotation replaced the key by another of the same name. It stays valid until `expiresAt`. */
  retiredAt?: string;
  /**
   * The item of a revoked key stays, disabled, until `ttl`: a late write cannot restore the key, and `history` lists
   * what was done to it.
   */
  revokedAt?: string;
  ttl?: number;
  lastWrite: Stamp;
  /** The events, newest last. The write that an event describes adds it, so that no event is lost. */
  log?: readonly KeyEvent[];
}

export interface ProjectItem extends TableKey, IndexAttributes {
  /** Another one after each write. */
  uid: string;
  id: string;
  environments: string[];
  creation?: Creation;
}

export interface FeatureItem extends TableKey, IndexAttributes {
  /** A new one each time a feature of this name is created. */
  uid: string;
  name: string;
  project: string;
  /** Its environments, in the project's order. Each has an item, written before this one and removed after it. */
  environments: string[];
  tags: TagMembers;
  /** Grows by one with each write of the item. */
  revision: number;
  creation?: Creation;
  /** The write that made this revision: an update of the tags, the creation, or a write by an operator. */
  lastWrite: Stamp;
  /** The ids of the writes before `lastWrite`, newest first. */
  earlierWriteIds: readonly string[];
}

/**
 * Reserves the name of a feature while a creation writes its environments. It has the table key of the feature, whose
 * item replaces it. Until then the feature does not exist.
 */
export interface ReservationItem extends TableKey {
  uid: string;
  revision: 0;
  /** The id of the creation, and when this attempt of it began to write. */
  reservedBy: Pick<Stamp, "id" | "at">;
}

/** Returns the `ttl`, in seconds since 1970, of an item that DynamoDB may delete this many seconds after the time. */
export function ttlAfter(time: string, seconds: number): number {
  return Math.ceil(Date.parse(time) / 1000) + seconds;
}

/** How long change items and the content of deletions are kept. */
export const keptSeconds = (limits.keptDays * dayMs) / 1000;

export interface EnvironmentItem extends TableKey, IndexAttributes, StoredState {
  feature: string;
  /** The project of the feature, which never changes. */
  project: string;
  /** The stamp of the creation. A write of the environment leaves it as it is. */
  created: Stamp;
  /** The uid of the reservation for which it was put. Absent if its feature existed, and in the first state. */
  reservation?: string;
}

/** A change that its environment has dropped or is about to drop. Every writer puts the same item. */
export interface ChangeItem extends Expiring {
  feature: string;
  environment: string;
  change: StoredChange;
}

/**
 * Says that a change was undone. A mark is put with the item of the undo, beside the undone change: one query reads
 * both.
 */
export interface MarkItem extends Expiring {
  feature: string;
  environment: string;
  /** The id of the undo. */
  undoneBy: string;
  /** The revision of the undo. */
  revision: number;
}

/**
 * Says that a change is to be made under a guard. It is put before the change, so that a trip finds every change
 * without an index. Only the environment says whether the change was made, and whether it is still in effect.
 */
export interface GuardedItem extends Expiring {
  feature: string;
  changeId: string;
  /** Later than the end of this guard, also if a parallel attempt writes the change. */
  ttl: number;
}

export const apiKeyTableKey = (hash: string): TableKey => ({ pk: `KEY#${hash}`, sk: "KEY" });
export const keyHashOf = ({ pk }: Pick<ApiKeyItem, "pk">): string => pk.slice(apiKeyTableKey("").pk.length);
export const projectTableKey = (id: string): TableKey => ({ pk: `PROJECT#${id}`, sk: "PROJECT" });
export const featureTableKey = (name: string): TableKey => ({ pk: `FEATURE#${name}`, sk: "FEATURE" });
export const environmentTableKey = (feature: string, environment: string): TableKey => ({
  pk: `FEATURE#${feature}`,
  sk: `ENVIRONMENT#${environment}`,
});

export const changeTableKey = (id: string, uid: string): TableKey => ({ pk: `CHANGE#${id}`, sk: uid });

const markInfix = "#MARK#";
/** An id can come back after 30 days. With the revision in its table key, each mark still belongs to one change. */
export const markTableKey = ({ id, revision }: ChangeRef, uid: string): TableKey =>
  changeTableKey(id, uid + markInfix + revision);

/** The partition has a hash, because the names together may be longer than a partition key. */
export const guardPartition = (project: string, environment: string, guard: string): string =>
  `GUARD#${fingerprint([project, environment, guard], 24)}`;
/** Parallel attempts of a request may send guards of different lengths, so each length has an item. */
export const guardedTableKey = (
  partition: string,
  feature: string,
  changeId: string,
  seconds: number,
): TableKey => ({ pk: partition, sk: `${feature}#${changeId}#${seconds}` });

export const isApiKeyItem = (item: AnyItem): item is ApiKeyItem => item.pk.startsWith("KEY#");
const hasFeatureTableKey = ({ pk, sk }: AnyItem) => pk.startsWith("FEATURE#") && sk === "FEATURE";
export const isReservationItem = (item: AnyItem): item is ReservationItem =>
  hasFeatureTableKey(item) && "reservedBy" in item;
export const isFeatureItem = (item: AnyItem): item is FeatureItem =>
  hasFeatureTableKey(item) && !isReservationItem(item);
export const isEnvironmentItem = (item: AnyItem): item is EnvironmentItem =>
  item.pk.startsWith("FEATURE#") && item.sk.startsWith("ENVIRONMENT#");
export const isMarkItem = (item: AnyItem): item is MarkItem =>
  item.pk.startsWith("CHANGE#") && item.sk.includes(markInfix);
export const isChangeItem = (item: AnyItem): item is ChangeItem =>
  item.pk.startsWith("CHANGE#") && !isMarkItem(item);

/**
 * DynamoDB refuses table keys that are too long. It would store a lone surrogate as another character, so that two
 * names would share an item.
 */
export function isStorableName(name: string, maxBytes: number = limits.nameBytes): boolean {
  return name.isWellFormed() && Buffer.byteLength(name) <= maxBytes;
}
