/** Formats tags, so that two different ones never look the same. */
import type { Tag } from "../../../lib/contract/tags.ts";

export function formatTags(tags: readonly Tag[]): string {
  return tags.map(({ type, value }) => `${quoted(type)}:${quoted(value)}`).join(", ") || "none";
}

/** In quotes where its edges cannot be seen, or where it would be taken for several tags. */
export function quoted(text: string): string {
  return text === text.trim() && !/[",]/.test(text) ? text : JSON.stringify(text);
}
