/** The tags of a feature, for whoever has any permission in its project. */
import { type Caller, mayRead, noPermissionIn } from "../access/caller.ts";
import { NotFoundError } from "../contract/errors.ts";
import type { Tag } from "../contract/tags.ts";
import type { FeatureStore } from "./feature-store.ts";
import { sortTags } from "./tag-change.ts";

/** All tags of a feature, in order. */
export async function readTags(
  store: Pick<FeatureStore, "readTags">,
  { feature, caller }: { feature: string; caller: Caller },
): Promise<Tag[]> {
  const found = await store.readTags(feature);
  if (!found) throw new NotFoundError(`feature "${feature}" does not exist`);
  if (!mayRead(caller, found.project)) throw noPermissionIn(found.project);
  return sortTags(found.tags);
}
