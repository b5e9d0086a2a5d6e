/** Updates, sorts and measures a list of tags. */
import { compareCodePoints } from "../../code-points.ts";
import { ValidationError } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type { Tag, UpdateTags } from "../../contract/tags.ts";
import { storedBytes } from "../stored-bytes.ts";

/** Returns the tags sorted. Additions come before removals: a tag in both lists is removed. */
export function tagsAfter(tags: readonly Tag[], { addedTags, removedTags }: UpdateTags): Tag[] {
  const after = new Map([...tags, ...addedTags].map((tag) => [tagMember(tag), tag]));
  for (const tag of removedTags) after.delete(tagMember(tag));
  return sortTags([...after.values()]);
}

export function sortTags(tags: readonly Tag[]): Tag[] {
  return [...tags].sort(
    (left, right) => compareCodePoints(left.type, right.type) || compareCodePoints(left.value, right.value),
  );
}

export function requireRoomForTags(tags: readonly Tag[]): void {
  const issue = tagRoomIssue(tags);
  if (issue !== undefined) throw new ValidationError(`The tags of a feature ${issue}`);
}

/** Measures the tags as they are stored. Their JSON can be longer: it writes some characters as six. */
export function tagRoomIssue(tags: readonly Tag[]): string | undefined {
  const bytes = storedBytes(toTagMembers(tags));
  return bytes > limits.tagsBytes ? `would take more than ${limits.tagsBytes / 1024} KiB` : undefined;
}

export type TagMembers = Record<string, true>;

export function toTagMembers(tags: readonly Tag[]): TagMembers {
  return Object.fromEntries(tags.map((tag) => [tagMember(tag), true]));
}

/** The tags are not sorted. */
export function tagsOf(members: TagMembers): Tag[] {
  return Object.keys(members).map((member) => {
    const [type, value] = JSON.parse(member) as [string, string];
    return { value, type };
  });
}

/** Identifies a tag. JSON keeps type and value apart, whatever their characters. */
export function tagMember({ type, value }: Tag): string {
  return JSON.stringify([type, value]);
}
