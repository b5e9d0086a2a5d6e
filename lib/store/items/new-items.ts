/** Makes the items of new features and environments. */
import type { Tag } from "../../contract/tags.ts";
import type { EnvironmentContent } from "../../features/model.ts";
import { newId, type Stamp } from "../../features/stamp.ts";
import { toTagMembers } from "../../features/tags/tag-list.ts";
import {
  type EnvironmentItem,
  environmentTableKey,
  type FeatureItem,
  featureTableKey,
  type ReservationItem,
} from "./items.ts";
import { environmentList, featureList } from "./lists.ts";
import { toStoredContent } from "./stored-content.ts";

export interface NewFeature {
  name: string;
  project: string;
  tags: readonly Tag[];
  /** Its environments, in the project's order. */
  environments: readonly string[];
}

export interface NewEnvironment extends EnvironmentContent {
  project: string;
  feature: string;
  environment: string;
  stamp: Stamp;
  reservation?: string;
}

export function reservationItem(name: string, id: string): ReservationItem {
  return {
    ...featureTableKey(name),
    uid: newId(),
    revision: 0,
    reservedBy: { id, at: new Date().toISOString() },
  };
}

export function featureItem({ name, project, environments, tags }: NewFeature, stamp: Stamp): FeatureItem {
  return {
    ...featureTableKey(name),
    inList: featureList(project),
    listedAs: name,
    uid: newId(),
    name,
    project,
    environments: [...environments],
    tags: toTagMembers(tags),
    revision: 1,
    lastWrite: stamp,
    earlierWriteIds: [],
  };
}

export function environmentItem({
  stamp,
  project,
  feature,
  environment,
  reservation,
  ...content
}: NewEnvironment): EnvironmentItem {
  return {
    ...environmentTableKey(feature, environment),
    inList: environmentList(project, environment),
    listedAs: feature,
    project,
    feature,
    environment,
    ...toStoredContent(content),
    uid: newId(),
    revision: 1,
    created: stamp,
    ...(reservation !== undefined && { reservation }),
    carriedRest: [],
    droppedIds: [],
    top: null,
  };
}
