/** The items of the one table: their keys, and what stands in them. */

import { limits } from "../contract/limits.ts";
import type { Permit } from "../contract/permissions.ts";
import type { Tag } from "../contract/tags.ts";
import type { Variant } from "../contract/variants.ts";
import type { Stamp } from "../features/feature-store.ts";

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
}

export interface ProjectItem extends Key {
  id: string;
  environments: string[];
}

export interface FeatureItem extends Key {
  name: string;
  project: string;
  /** In the project's order. For each there is an environment item, written before this one and removed after it. */
  environments: string[];
  /** A member for each tag, named by `tagMember`: so any tags are added and removed by one update, without a read. */
  tags: Record<string, true>;
  changed?: Stamp;
}

export interface EnvironmentItem extends Key {
  environment: string;
  variants: Variant[];
  revision: number;
  /** The first is that of the item's making: a feature that is removed and made again is another. */
  writes: string[];
  /** The writes that came with an idempotency key. */
  keyed?: string[];
  /** Project and feature are for those who read the table's stream: infra/events.yml. */
  changed?: Stamp & { project: string; feature: string };
}

export const apiKeyKey = (hash: string): Key => ({ pk: `KEY#${hash}`, sk: "KEY" });
export const projectKey = (id: string): Key => ({ pk: `PROJECT#${id}`, sk: "PROJECT" });
export const featureKey = (name: string): Key => ({ pk: `FEATURE#${name}`, sk: "FEATURE" });
export const environmentKey = (feature: string, environment: string): Key => ({
  pk: `FEATURE#${feature}`,
  sk: `ENVIRONMENT#${environment}`,
});

export const isFeatureItem = (item: object): item is FeatureItem => "sk" in item && item.sk === "FEATURE";

/** The list keeps any two of type and value apart, whatever characters they have. */
export const tagMember = ({ type, value }: Tag): string => JSON.stringify([type, value]);

export function parseTagMember(member: string): Tag {
  const [type, value] = JSON.parse(member) as [string, string];
  return { value, type };
}

/**
 * Whether a name can be in the table at all. A lone surrogate would reach the table as another character,
 * and so another's item; DynamoDB refuses keys that are too long.
 */
export function isStorableName(name: string, most: number = limits.nameBytes): boolean {
  return name.isWellFormed() && Buffer.byteLength(name) <= most;
}

export function isStorableEnvironment(name: string): boolean {
  return isStorableName(name, limits.environmentNameBytes);
}
