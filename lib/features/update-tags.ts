/** Adds and removes several tags of a feature in one atomic change. */
import { type Caller, missingPermission, projectsWith } from "../access/caller.ts";
import { NotFoundError } from "../contract/errors.ts";
import type { Tag, UpdateTags } from "../contract/tags.ts";
import type { FeatureStore, Stamp } from "./feature-store.ts";
import { netChange, sortTags } from "./tag-change.ts";

const permission = "UPDATE_FEATURE";

interface TagUpdate {
  feature: string;
  update: UpdateTags;
  caller: Caller;
  stamp: Stamp;
}

/** All tags that the feature has afterwards, in order. */
export async function updateTags(
  store: Pick<FeatureStore, "changeTags">,
  { feature, update, caller, stamp }: TagUpdate,
): Promise<Tag[]> {
  const result = await store.changeTags(feature, netChange(update), projectsWith(caller, permission), stamp);
  if (!result) throw new NotFoundError(`feature "${feature}" does not exist`);
  if (!result.tags) throw missingPermission(permission, { project: result.project });
  return sortTags(result.tags);
}
