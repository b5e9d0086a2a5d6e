/** All that the table holds, as it was read. */
import type { Tag } from "../../lib/contract/tags.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import {
  type ApiKeyItem,
  type EnvironmentItem,
  type FeatureItem,
  isFeatureItem,
  type Key,
  type ProjectItem,
} from "../../lib/store/items.ts";

export interface StoredFeature {
  /** Absent while the feature is being made, and after it was removed: its environments are nobody's then. */
  item?: FeatureItem;
  environments: Map<string, EnvironmentItem>;
}

export interface WholeFeature {
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
}

export function emptyStored(): Stored {
  return { projects: new Map(), features: new Map(), apiKeys: [] };
}

/** Sorts an item in by its key. */
export function addItem({ projects, features, apiKeys }: Stored, item: Key): void {
  const [kind, name] = splitKey(item.pk);
  if (kind === "PROJECT") projects.set(name, item as ProjectItem);
  if (kind === "KEY") apiKeys.push(item as ApiKeyItem);
  if (kind !== "FEATURE") return;
  const feature: StoredFeature = features.get(name) ?? { environments: new Map() };
  features.set(name, feature);
  if (isFeatureItem(item)) feature.item = item;
  else feature.environments.set((item as EnvironmentItem).environment, item as EnvironmentItem);
}

/** The hash by which an API key is stored. */
export function keyHashOf({ pk }: ApiKeyItem): string {
  return splitKey(pk)[1];
}

function splitKey(pk: string): [kind: string, name: string] {
  const at = pk.indexOf("#");
  return [pk.slice(0, at), pk.slice(at + 1)];
}
