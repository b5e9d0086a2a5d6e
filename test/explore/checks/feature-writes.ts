/** Finds what is wrong with a write of a feature's item: an update of its tags, or its deletion. */
import { etagOfTags } from "../../../lib/features/etags.ts";
import type { FeatureItem } from "../../../lib/store/items/items.ts";
import type { Attempt, Intent } from "../world/intent.ts";
import { type Ledger, whichHold } from "./ledger.ts";

export function tagNamesOf({ tags }: Pick<FeatureItem, "tags">): string {
  return String(Object.keys(tags).sort());
}

/** What is wrong with the next state of the feature's item, by any writer. */
export function wrongFeatureRevision(was: FeatureItem, is: FeatureItem): string[] {
  return whichHold({
    "lost the id of the update before it": is.earlierWriteIds[0] !== was.lastWrite.id,
    "left the feature's item at a revision": is.revision !== was.revision + 1,
  });
}

export function wrongDeletion({ effects }: Ledger, { name }: Attempt): string[] {
  return effects.some(({ attempt }) => attempt === name) ? ["deleted two features"] : [];
}

export function wrongTags(
  { added, removed }: NonNullable<Intent["tags"]>,
  was: FeatureItem,
  is: FeatureItem,
): string[] {
  const wanted = new Set([...Object.keys(was.tags), ...added]);
  for (const tag of removed) wanted.delete(tag);
  const [had, has] = [tagNamesOf(was), tagNamesOf(is)];
  return whichHold({
    [`made of the tags ${had}: ${has}`]: String([...wanted].sort()) !== has,
    "wrote tags that it did not change": had === has,
  });
}

/** A tag update is stored at most once, on the tags of its If-Match, of the feature that it has read. */
export function wrongTagUpdate(
  { effects, starts }: Ledger,
  { name }: Attempt,
  { project, etag }: Intent,
  was: FeatureItem,
): string[] {
  return whichHold({
    [`changed the tags of a feature of ${was.project}`]: project !== undefined && was.project !== project,
    [`wrote over the tags ${was.lastWrite.id}, which are not those of if-match`]:
      etag !== undefined && etagOfTags(was) !== etag,
    "changed the tags twice": effects.some((one) => one.environment === "tags" && one.attempt === name),
    "changed the tags of a feature that was made again after it had read it": was.uid !== starts[name]?.uid,
  });
}
