/** Items as they are when they are new. */
import { randomUUID } from "node:crypto";
import type { Tag } from "../../lib/contract/tags.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import {
  type ApiKeyItem,
  apiKeyKey,
  type EnvironmentItem,
  environmentKey,
  type FeatureItem,
  featureKey,
  type ProjectItem,
  projectKey,
  tagMember,
} from "../../lib/store/items.ts";
import type { ApiKeyState } from "../state/state.ts";

export interface NewFeature {
  name: string;
  project: string;
  environments: readonly string[];
  tags: readonly Tag[];
}

export interface NewApiKey extends Omit<ApiKeyState, "key" | "keyHash"> {
  keyHash: string;
}

export function featureItem({ name, project, environments, tags }: NewFeature): FeatureItem {
  const members = Object.fromEntries(tags.map((tag) => [tagMember(tag), true as const]));
  return { ...featureKey(name), name, project, environments: [...environments], tags: members };
}

export function environmentItem(feature: string, environment: string, variants: Variant[]): EnvironmentItem {
  const writes = [randomUUID()];
  return { ...environmentKey(feature, environment), environment, variants, revision: 1, writes };
}

export function apiKeyItem({ keyHash, ...rest }: NewApiKey): ApiKeyItem {
  return { ...apiKeyKey(keyHash), ...rest, createdAt: new Date().toISOString() };
}

export function projectItem({ id, environments }: Pick<ProjectItem, "id" | "environments">): ProjectItem {
  return { ...projectKey(id), id, environments };
}
