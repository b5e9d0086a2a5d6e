/** Rules of lists of tags, for any tags. Which ones differ, in both lists, or twice in one: test/http/tags/tags.test.ts */
import fc from "fast-check";
import { expect, it } from "vitest";
import { limits } from "../../../../lib/contract/limits.ts";
import type { Tag } from "../../../../lib/contract/tags.ts";
import { sortTags, tagRoomIssue, tagsAfter, toTagMembers } from "../../../../lib/features/tags/tag-list.ts";
import { tag as anyTag, wellFormed } from "../../../support/arbitraries.ts";
import { itProp } from "../../../support/property.ts";

const tags = fc.array(anyTag, { maxLength: 12 });
const label = wellFormed({ maxLength: 4 });

itProp([tags, tags, tags])(
  "an update makes (current + added) - removed of any tags, sorted, and none of them twice",
  (current, addedTags, removedTags) => {
    const after = tagsAfter(current, { addedTags, removedTags });

    const expected = minus([...current, ...addedTags], removedTags);
    expect(keys(after)).toEqual(keys(expected));
    expect(after).toHaveLength(keys(after).length);
    expect(after).toEqual(sortTags(after));
  },
);

itProp([fc.array(fc.record({ type: label, value: label }))])(
  "the order of any tags is that of their UTF-32 form, by type, then value, and the list given stays as it was",
  (given) => {
    const before = [...given];
    const reference = given.toSorted(
      (left, right) =>
        Buffer.compare(utf32(left.type), utf32(right.type)) ||
        Buffer.compare(utf32(left.value), utf32(right.value)),
    );

    expect(sortTags(given)).toEqual(reference);
    expect(given).toEqual(before);
  },
);

it("a tag is stored as a member that is true, named by its type and value", () => {
  expect(toTagMembers([{ type: "simple", value: "team" }])).toEqual({ '["simple","team"]': true });
});

it.each([
  ["as many bytes as a feature has room for", 0, undefined],
  ["one byte more", 1, "would take more than 190 KiB"],
])("the issue of tags with %s (%j more) is %j", (_, more, issue) => {
  // A map, its one member, and the value of that.
  const besides = 3 + 1 + '["simple",""]'.length + 1;
  const value = "v".repeat(limits.tagsBytes - besides + more);

  expect(tagRoomIssue([{ type: "simple", value }])).toBe(issue);
});

function minus(from: readonly Tag[], tags: readonly Tag[]): Tag[] {
  return from.filter(({ type, value }) => !tags.some((tag) => tag.type === type && tag.value === value));
}

function keys(list: readonly Tag[]): string[] {
  return [...new Set(list.map(({ type, value }) => JSON.stringify({ type, value })))].toSorted();
}

function utf32(text: string): Buffer {
  const bytes = Buffer.alloc(4 * [...text].length);
  [...text].forEach((character, at) => void bytes.writeUInt32BE(character.codePointAt(0) ?? 0, 4 * at));
  return bytes;
}
