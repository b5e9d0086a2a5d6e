/** Makes the items of new features, environments, API keys and projects. */
import type { EnvironmentContent } from "../../lib/features/model.ts";
import { newId, type Stamp } from "../../lib/features/stamp.ts";
import { toTagMembers } from "../../lib/features/tag-list.ts";
import {
  type ApiKeyItem,
  apiKeyTableKey,
  type EnvironmentItem,
  environmentKey,
  type FeatureItem,
  featureKey,
  type ProjectItem,
  projectKey,
  toStoredContent,
} from "../../lib/store/items.ts";
import { environmentList, featureList, keyList, projectList } from "../../lib/store/lists.ts";
import type { ApiKeyContent, FeatureContent } from "./content.ts";

export interface NewEnvironment extends EnvironmentContent {
  project: string;
  feature: string;
  environment: string;
  stamp: Stamp;
}

export function featureItem(
  { name, project, environments, tags }: FeatureContent,
  stamp: Stamp,
): FeatureItem {
  return {
    ...featureKey(name),
    inList: featureList(project),
    listedAs: name,
    uid: newId(),
    name,
    project,
    environments: [...environments.keys()],
    tags: toTagMembers(tags),
    revision: 1,
    changed: stamp,
    olderIds: [],
  };
}

export function environmentItem({
  stamp,
  project,
  feature,
  environment,
  ...content
}: NewEnvironment): EnvironmentItem {
  return {
    ...environmentKey(feature, environment),
    inList: environmentList(project, environment),
    listedAs: feature,
    project,
    feature,
    environment,
    ...toStoredContent(content),
    uid: newId(),
    revision: 1,
    created: stamp,
    earlier: [],
    olderIds: [],
    top: null,
  };
}

export function apiKeyItem({ keyHash, ...rest }: ApiKeyContent, stamp: Stamp): ApiKeyItem {
  const listed = { inList: keyList, listedAs: rest.name };
  return {
    ...apiKeyTableKey(keyHash),
    ...listed,
    ...rest,
    createdAt: new Date().toISOString(),
    changed: stamp,
  };
}

export function projectItem(id: string, environments: readonly string[]): ProjectItem {
  const listed = { inList: projectList, listedAs: id };
  return { ...projectKey(id), ...listed, uid: newId(), id, environments: [...environments] };
}
