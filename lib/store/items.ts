/** The items of the one table: their table keys and their attributes. */
import type { Permit } from "../access/permissions.ts";
import { limits } from "../contract/limits.ts";
import type { Tag } from "../contract/tags.ts";
import type { Subject } from "../documents/document.ts";
import type { Change, EnvironmentState } from "../features/feature.ts";
import type { Stamp } from "../features/stamp.ts";

export interface TableKey {
  pk: string;
  sk: string;
}

/** What an item has that the index lists. */
export interface Listed {
  inList: string;
  /** The name by which the list is sorted. */
  listedAs: string;
}

/** An API key, by the SHA-256 of what the caller sends. The key itself is never stored. */
export interface ApiKeyItem extends TableKey, Listed {
  name: string;
  permissions: Permit[];
  createdAt: string;
  expiresAt?: string;
  disabled?: boolean;
  /** When the key was rotated: it keeps its name, and is valid until `expiresAt`. */
  retiredAt?: string;
  /** When the key was revoked. The item stays, disabled, until `ttl`, so that a late write cannot restore the key. */
  revokedAt?: string;
  ttl?: number;
  changed: Stamp;
}

export interface ProjectItem extends TableKey, Listed {
  /** Another one after each write of the project. */
  uid: string;
  id: string;
  environments: string[];
}

export interface FeatureItem extends TableKey, Listed {
  /** Another one when the feature is deleted and created again. */
  uid: string;
  name: string;
  project: string;
  /** In the project's order. For each there is an environment item, written before this one and removed after it. */
  environments: string[];
  /** A member for each tag, named by `tagMember`, so that one update adds and removes tags without reading them. */
  tags: Record<string, true>;
  changed: Stamp;
  /** Tag updates sent at this time (in milliseconds since 1970) or before are refused. */
  fence: number;
}

export interface EnvironmentItem extends TableKey, Listed, Omit<EnvironmentState, "carried"> {
  feature: string;
  /** The feature's, for as long as the environment exists. */
  project: string;
  created: Stamp;
  /** The change that made this revision: by its name, so that events can refer to it. */
  last?: Change;
  /** The other changes that the environment carries, newest first. */
  earlier: readonly Change[];
}

/** A change that its environment no longer carries, or is about to drop. All that write it write the same. */
export interface ChangeItem extends TableKey {
  feature: string;
  environment: string;
  change: Change;
  /** When DynamoDB deletes it, in seconds since 1970. */
  ttl: number;
}

/** Marks a change as undone once its undo is an item. It stands beside the change, so that one query reads both. */
export interface UndoneItem extends TableKey {
  feature: string;
  environment: string;
  revision: number;
  undoneBy: string;
  ttl: number;
}

/** The base document of an environment, for one format. */
export interface DocumentItem extends TableKey {
  uid: string;
  /** Its JSON: gzip in base64, as the client's protocol has no binary attributes. */
  gzip: string;
  changed: Stamp;
}

export const apiKeyTableKey = (hash: string): TableKey => ({ pk: `KEY#${hash}`, sk: "KEY" });
export const projectKey = (id: string): TableKey => ({ pk: `PROJECT#${id}`, sk: "PROJECT" });
export const featureKey = (name: string): TableKey => ({ pk: `FEATURE#${name}`, sk: "FEATURE" });
export const environmentKey = (feature: string, environment: string): TableKey => ({
  pk: `FEATURE#${feature}`,
  sk: `ENVIRONMENT#${environment}`,
});

/** Names of formats have no "#". */
export const documentKey = ({ format, project, environment }: Subject): TableKey => ({
  pk: `DOCUMENT#${project}`,
  sk: `${format}#${environment}`,
});

/** By the environment's uid, as an environment that is created again is another. */
export const changeKey = (id: string, uid: string): TableKey => ({ pk: `CHANGE#${id}`, sk: uid });

const undone = "#UNDONE";
export const undoneKey = (id: string, uid: string): TableKey => changeKey(id, uid + undone);

export const isFeatureItem = (item: TableKey): item is FeatureItem => item.sk === "FEATURE";
export const isEnvironmentItem = (item: TableKey): item is EnvironmentItem =>
  item.sk.startsWith("ENVIRONMENT#");
export const isUndoneItem = (item: TableKey): item is UndoneItem => item.sk.endsWith(undone);
export const isChangeItem = (item: TableKey): item is ChangeItem =>
  item.pk.startsWith("CHANGE#") && !isUndoneItem(item);

/** Encoded as JSON, so that type and value stay separate whatever characters they contain. */
export const tagMember = ({ type, value }: Tag): string => JSON.stringify([type, value]);

export function parseTagMember(member: string): Tag {
  const [type, value] = JSON.parse(member) as [string, string];
  return { value, type };
}

/**
 * Whether a name can be in the table at all. A lone surrogate would reach the table as another character,
 * and so another item; DynamoDB refuses table keys that are too long.
 */
export function isStorableName(name: string, maxBytes: number = limits.nameBytes): boolean {
  return name.isWellFormed() && Buffer.byteLength(name) <= maxBytes;
}
