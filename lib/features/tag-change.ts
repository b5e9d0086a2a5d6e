/** What an update of tags comes to. */
import type { Tag, UpdateTags } from "../contract/tags.ts";

export interface TagChange {
  added: readonly Tag[];
  removed: readonly Tag[];
}

/** All additions come first, then all removals: a tag in both lists ends up removed, one named twice counts once. */
export function netChange({ addedTags, removedTags }: UpdateTags): TagChange {
  const removed = unique(removedTags);
  const added = unique(addedTags);
  for (const key of removed.keys()) added.delete(key);
  return { added: [...added.values()], removed: [...removed.values()] };
}

/** By type, then value. */
export function sortTags(tags: readonly Tag[]): Tag[] {
  return [...tags].sort(
    (left, right) => compareCodePoints(left.type, right.type) || compareCodePoints(left.value, right.value),
  );
}

function unique(tags: readonly Tag[]): Map<string, Tag> {
  return new Map(tags.map((tag) => [JSON.stringify([tag.type, tag.value]), tag]));
}

/** The operator `<` compares UTF-16 units, which puts an emoji before U+E000 and above. */
export function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at++) {
    if (left[at] !== right[at]) return (left.codePointAt(at) ?? 0) - (right.codePointAt(at) ?? 0);
  }
  return left.length - right.length;
}
