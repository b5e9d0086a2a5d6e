/** The items of the one table: their keys, their attributes, and how they are read. */
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Permit } from "../access/permissions.ts";
import { limits } from "../contract/limits.ts";
import type { Tag } from "../contract/tags.ts";
import type { Change, EnvironmentState } from "../features/feature.ts";
import type { Stamp } from "../features/stamp.ts";
import type { Session } from "./session.ts";

export interface Key {
  pk: string;
  sk: string;
}

/** An API key, by the SHA-256 of what the caller sends. The key itself is never stored. */
export interface ApiKeyItem extends Key {
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

export interface ProjectItem extends Key {
  /** Another one after each write of the project. */
  uid: string;
  id: string;
  environments: string[];
}

export interface FeatureItem extends Key {
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

export interface EnvironmentItem extends Key, Omit<EnvironmentState, "carried"> {
  feature: string;
  /** The feature's, for as long as the environment exists. */
  project: string;
  created: Stamp;
  /** The change that made this revision: by its name, so that events can refer to it. */
  last?: Change;
  /** The other changes that the environment carries, newest first. */
  earlier: readonly Change[];
}

/** A change that is no longer the last of its environment. Whoever writes it again writes the same. */
export interface ChangeItem extends Key {
  feature: string;
  environment: string;
  change: Change;
  /** When DynamoDB deletes it, in seconds since 1970. */
  ttl: number;
}

/** Of a change that was undone, once its undo is no longer the last change. Beside the change, so that one query has both. */
export interface UndoneItem extends Key {
  feature: string;
  environment: string;
  /** That of the change. */
  revision: number;
  undoneBy: string;
  ttl: number;
}

export const apiKeyKey = (hash: string): Key => ({ pk: `KEY#${hash}`, sk: "KEY" });
export const projectKey = (id: string): Key => ({ pk: `PROJECT#${id}`, sk: "PROJECT" });
export const featureKey = (name: string): Key => ({ pk: `FEATURE#${name}`, sk: "FEATURE" });
export const environmentKey = (feature: string, environment: string): Key => ({
  pk: `FEATURE#${feature}`,
  sk: `ENVIRONMENT#${environment}`,
});

/** By the environment's uid, as an environment that is created again is another. */
export const changeKey = (id: string, uid: string): Key => ({ pk: `CHANGE#${id}`, sk: uid });

const undone = "#UNDONE";
export const undoneKey = (id: string, uid: string): Key => changeKey(id, uid + undone);

export const isFeatureItem = (item: Key): item is FeatureItem => item.sk === "FEATURE";
export const isEnvironmentItem = (item: Key): item is EnvironmentItem => item.sk.startsWith("ENVIRONMENT#");
export const isUndoneItem = (item: Key): item is UndoneItem => item.sk.endsWith(undone);
export const isChangeItem = (item: Key): item is ChangeItem =>
  item.pk.startsWith("CHANGE#") && !isUndoneItem(item);

/** Encoded as JSON, so that type and value stay separate whatever characters they contain. */
export const tagMember = ({ type, value }: Tag): string => JSON.stringify([type, value]);

export function parseTagMember(member: string): Tag {
  const [type, value] = JSON.parse(member) as [string, string];
  return { value, type };
}

/**
 * Whether a name can be in the table at all. A lone surrogate would reach the table as another character,
 * and so another item; DynamoDB refuses keys that are too long.
 */
export function isStorableName(name: string, maxBytes: number = limits.nameBytes): boolean {
  return name.isWellFormed() && Buffer.byteLength(name) <= maxBytes;
}

export async function getItem<Item extends Key>(
  { table, send }: Session,
  key: Key,
): Promise<Item | undefined> {
  const { Item } = await send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
  return Item as Item | undefined;
}

/** The item that failed a condition: from the error if the engine includes it, else by a read. Undefined if there is none. */
export async function currentItem<Item extends Key>(
  session: Session,
  failure: ConditionalCheckFailedException,
  key: Key,
): Promise<Item | undefined> {
  // The document client unmarshalls responses, but not what an error carries.
  return failure.Item ? (unmarshall(failure.Item) as Item) : getItem<Item>(session, key);
}

/** A page has at most 1 MB: a few large environments take more than one. */
export async function readPartition({ table, send }: Session, pk: string): Promise<Key[]> {
  const items: Key[] = [];
  let ExclusiveStartKey: Key | undefined;
  do {
    const query = new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": pk },
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const page = await send(query);
    items.push(...((page.Items ?? []) as Key[]));
    ExclusiveStartKey = page.LastEvaluatedKey as Key | undefined;
  } while (ExclusiveStartKey);
  return items;
}
