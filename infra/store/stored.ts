/** The content of the table as it was read, by kind; and a feature as it should be. */
import type { Tag } from "../../lib/contract/tags.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import {
  type ApiKeyItem,
  type EnvironmentItem,
  type FeatureItem,
  isEnvironmentItem,
  isFeatureItem,
  type Key,
  type ProjectItem,
} from "../../lib/store/items.ts";

export interface StoredFeature {
  /** Absent while the feature is being created, and after its removal: then its environments belong to no feature. */
  item?: FeatureItem;
  environments: Map<string, EnvironmentItem>;
}

export interface WantedFeature {
  name: string;
  project: string;
  tags: readonly Tag[];
  /** In the project's order. */
  environments: ReadonlyMap<string, Variant[]>;
}

export interface Stored {
  projects: Map<string, ProjectItem>;
  features: Map<string, StoredFeature>;
  apiKeys: ApiKeyItem[];
  /** Tombstones of keys that were revoked recently. */
  revokedKeys: ApiKeyItem[];
}

export function emptyStored(): Stored {
  return { projects: new Map(), features: new Map(), apiKeys: [], revokedKeys: [] };
}

/** Adds an item to its kind, by its key. */
export function addItem({ projects, features, apiKeys, revokedKeys }: Stored, item: Key): void {
  const [kind, name] = splitKey(item.pk);
  if (kind === "PROJECT") projects.set(name, item as ProjectItem);
  if (kind === "KEY") ("revokedAt" in item ? revokedKeys : apiKeys).push(item as ApiKeyItem);
  if (kind !== "FEATURE") return;
  const feature: StoredFeature = features.get(name) ?? { environments: new Map() };
  features.set(name, feature);
  if (isFeatureItem(item)) feature.item = item;
  else if (isEnvironmentItem(item)) feature.environments.set(item.environment, item);
}

/** Returns the hash of a stored API key. */
export function keyHashOf({ pk }: ApiKeyItem): string {
  return splitKey(pk)[1];
}

function splitKey(pk: string): [kind: string, name: string] {
  const at = pk.indexOf("#");
  return [pk.slice(0, at), pk.slice(at + 1)];
}
