import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tag } from "../../../lib/contract/tags.ts";
import { netChange, sortTags } from "../../../lib/features/tags.ts";
import { tag, wellFormed } from "../../support/arbitraries.ts";

const tagOf = (type: string, value: string): Tag => ({ type, value });
const simple = (value: string) => tagOf("simple", value);
const a1 = simple("a1");
const tags = fc.array(tag, { maxLength: 12 });

describe("the net change of an update of tags", () => {
  it.each([
    ["in both lists ends up removed", { addedTags: [a1], removedTags: [a1] }, { added: [], removed: [a1] }],
    [
      "twice in addedTags counts once",
      { addedTags: [a1, a1], removedTags: [] },
      { added: [a1], removed: [] },
    ],
    [
      "twice in removedTags counts once",
      { addedTags: [], removedTags: [a1, a1] },
      { added: [], removed: [a1] },
    ],
    ["in neither list is not changed", { addedTags: [], removedTags: [] }, { added: [], removed: [] }],
  ])("a tag %s", (_, update, change) => {
    expect(netChange(update)).toEqual(change);
  });

  it("type and value are kept apart, whatever characters they have", () => {
    const addedTags = [tagOf('a","b', "c1"), tagOf("a1", 'b","c1')];
    const removedTags = [tagOf("c1", "a1"), tagOf('a","', "bc1")];

    expect(netChange({ addedTags, removedTags }).added).toEqual(addedTags);
  });

  it("letter case, and two ways to write one letter, make different tags", () => {
    const addedTags = [simple("Ab"), simple("\u00e9x"), simple("e\u0301x")];

    expect(netChange({ addedTags, removedTags: [simple("ab")] }).added).toEqual(addedTags);
  });

  it("of any tags is (current + added) - removed, with no tag in both of its lists and none twice", () => {
    fc.assert(
      fc.property(tags, tags, tags, (current, addedTags, removedTags) => {
        const { added, removed } = netChange({ addedTags, removedTags });

        const expected = minus([...current, ...addedTags], removedTags);
        expect(keys([...minus(current, removed), ...added])).toEqual(keys(expected));
        expect(keys([...added, ...removed])).toHaveLength(added.length + removed.length);
      }),
    );
  });
});

describe("the order of the tags", () => {
  it("is by type, then value, and the list given stays as it was", () => {
    const [first, second, third] = [tagOf("a1", "a1"), tagOf("a1", "b1"), tagOf("b1", "a1")];
    const given = [third, second, first];

    expect(sortTags(given)).toEqual([first, second, third]);
    expect(given).toEqual([third, second, first]);
  });

  it("is by code point: capitals first, then small letters, then é, then U+FFFF, then an emoji", () => {
    const ascii = ["Zz", "a", "a!", "zz"];
    const ordered = [...ascii, "é", "\ud7ff", "\ue000", "\ufb01", "\uffff", "\u{10000}", "😀", "😀a", "😁"];

    const sorted = sortTags(ordered.toReversed().map(simple)).map(({ value }) => value);

    expect(sorted).toEqual(ordered);
  });

  it("is for any tags that of their UTF-32 form", () => {
    const any = fc.record({ type: wellFormed({ maxLength: 4 }), value: wellFormed({ maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(any), (given) => {
        const sorted = sortTags(given);

        const reference = given.toSorted(
          (left, right) =>
            Buffer.compare(utf32(left.type), utf32(right.type)) ||
            Buffer.compare(utf32(left.value), utf32(right.value)),
        );
        expect(sorted).toEqual(reference);
      }),
    );
  });
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
