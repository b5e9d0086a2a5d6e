/** Any tags. Which ones differ, in both lists, or twice in one: test/http/tags/tags.test.ts */
import fc from "fast-check";
import { expect } from "vitest";
import type { Tag } from "../../../lib/contract/tags.ts";
import { netDifference, sortTags } from "../../../lib/features/update-tags.ts";
import { tag as anyTag, wellFormed } from "../../support/arbitraries.ts";
import { itProp } from "../../support/property.ts";

const tags = fc.array(anyTag, { maxLength: 12 });
const label = wellFormed({ maxLength: 4 });

itProp([tags, tags, tags])(
  "the net change of an update is (current + added) - removed, with no tag in both of its lists and none twice",
  (current, addedTags, removedTags) => {
    const { added, removed } = netDifference({ addedTags, removedTags });

    const expected = minus([...current, ...addedTags], removedTags);
    expect(keys([...minus(current, removed), ...added])).toEqual(keys(expected));
    expect(keys([...added, ...removed])).toHaveLength(added.length + removed.length);
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
