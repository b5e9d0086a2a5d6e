/** Changes as they would be, without a write. DynamoDB is not there to judge their size: it is counted. */
import type { Projects } from "../access/caller.ts";
import { limits } from "../contract/limits.ts";
import { storedBytes } from "../contract/stored-bytes.ts";
import type { Stamp, TagResult, VariantsWrite, WriteResult } from "../features/feature-store.ts";
import type { TagChange } from "../features/tag-change.ts";
import { isPermitted } from "./change-tags.ts";
import { getItem } from "./get-item.ts";
import { environmentKey, type FeatureItem, featureKey, isStorableName, tagMember } from "./items.ts";
import { toTags } from "./read-tags.ts";
import type { Session } from "./session.ts";
import { tagsTooLarge, variantsTooLarge } from "./too-large.ts";
import { attributesAfter } from "./write-variants.ts";

export async function rehearseTags(
  session: Session,
  feature: string,
  { added, removed }: TagChange,
  projects: Projects,
  stamp: Stamp,
): Promise<TagResult | undefined> {
  if (!isStorableName(feature)) return undefined;
  const item = await getItem<FeatureItem>(session, featureKey(feature));
  if (!item) return undefined;
  if (!isPermitted(item, projects)) return { project: item.project };
  const tags = { ...item.tags, ...Object.fromEntries(added.map((tag) => [tagMember(tag), true as const])) };
  for (const tag of removed) delete tags[tagMember(tag)];
  const after = { ...item, tags, changed: stamp };
  if (storedBytes(after) > limits.itemBytes) throw tagsTooLarge(feature);
  return toTags(after);
}

export function rehearseVariants(write: VariantsWrite): WriteResult {
  const { environment } = write.before;
  const item = { ...environmentKey(write.feature, environment), environment, ...attributesAfter(write) };
  if (storedBytes(item) > limits.itemBytes) throw variantsTooLarge();
  return { done: true };
}
