/** The items of the one table: their keys, their attributes, and how they are read. */
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Permit } from "../access/permissions.ts";
import { limits } from "../contract/limits.ts";
import type { Tag } from "../contract/tags.ts";
import type { Variant } from "../contract/variants.ts";
import type { Change } from "../features/feature.ts";
import type { Stamp } from "../features/stores.ts";
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

export interface EnvironmentItem extends Key {
  environment: string;
  /** The feature's, for as long as the environment exists. */
  project: string;
  /** Another one when the environment is deleted and created again. */
  uid: string;
  revision: number;
  variants: Variant[];
  writes: StoredWrite[];
  /** Whether idempotency records have moved to items of their own. */
  hasMovedRecords?: boolean;
  /** The newest ticket whose request has written. */
  served?: number;
  /** The newest change, or the creation, which has no revision. The feature is for readers of the table's stream. */
  changed: Stamp & { feature: string } & Partial<Change>;
  /** Older changes, newest first, each as JSON: one value instead of dozens that every call would convert. */
  changes?: string[];
  /** The latest time of a change that is kept no longer. */
  droppedAt?: string;
}

/** A write that is remembered: with an idempotency record if its request had a key, and what last undid or redid it. */
export type StoredWrite =
  | [id: string, revision: number]
  | [
      id: string,
      revision: number,
      at: number,
      key: string,
      change: string,
      mark?: "undone" | "redone",
      by?: string,
    ];

/**
 * Requests that wait for their turn to write an environment: lib/features/turns.ts. An item of its own, so that a ticket
 * is no change of the environment.
 */
export interface QueueItem extends Key {
  lastTicket?: number;
  /** The newest ticket whose turn ended without a write. */
  givenUp?: number;
}

/** An idempotency record that has left its environment's item. DynamoDB removes it some time after `ttl`. */
export interface IdempotencyItem extends Key {
  record: StoredWrite;
  ttl: number;
}

export const apiKeyKey = (hash: string): Key => ({ pk: `KEY#${hash}`, sk: "KEY" });
export const projectKey = (id: string): Key => ({ pk: `PROJECT#${id}`, sk: "PROJECT" });
export const featureKey = (name: string): Key => ({ pk: `FEATURE#${name}`, sk: "FEATURE" });
export const environmentKey = (feature: string, environment: string): Key => ({
  pk: `FEATURE#${feature}`,
  sk: `ENVIRONMENT#${environment}`,
});
/** Shorter than the environment's key, so it is storable as well. */
export const queueKey = (feature: string, environment: string): Key => ({
  pk: `FEATURE#${feature}`,
  sk: `QUEUE#${environment}`,
});
export const idempotencyKey = (key: string, uid: string): Key => ({ pk: `IDEMPOTENCY#${key}`, sk: uid });

export const isFeatureItem = (item: Key): item is FeatureItem => item.sk === "FEATURE";
export const isEnvironmentItem = (item: Key): item is EnvironmentItem => item.sk.startsWith("ENVIRONMENT#");
export const isQueueItem = (item: Key): item is QueueItem => item.sk.startsWith("QUEUE#");

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

export function isStorableEnvironment(name: string): boolean {
  return isStorableName(name, limits.environmentNameBytes);
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
