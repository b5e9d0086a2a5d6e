/** The tags of a feature, as its item has them. */
import type { TagResult } from "../features/feature-store.ts";
import { getItem } from "./get-item.ts";
import { type FeatureItem, featureKey, isStorableName, parseTagMember } from "./items.ts";
import type { Session } from "./session.ts";

export async function readTags(session: Session, feature: string): Promise<Required<TagResult> | undefined> {
  if (!isStorableName(feature)) return undefined;
  const item = await getItem<FeatureItem>(session, featureKey(feature));
  return item && toTags(item);
}

export function toTags({ project, tags }: FeatureItem): Required<TagResult> {
  return { project, tags: Object.keys(tags).map(parseTagMember) };
}
