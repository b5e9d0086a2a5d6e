import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tag } from "../../../lib/contract/tags.ts";
import { netChange, sortTags } from "../../../lib/features/tags.ts";
import { tag, wellFormed } from "../../support/arbitraries.ts";

const simple = (value: string): Tag => ({ type: "simple", value });
const tags = fc.array(tag, { maxLength: 12 });

describe("what an update of tags comes to", () => {
  it("a tag in both lists ends up removed", () => {
    expect(netChange({ addedTags: [simple("a1")], removedTags: [simple("a1")] })).toEqual({
      added: [],
      removed: [simple("a1")],
    });
  });

  it("a tag twice in a list counts once", () => {
    const twice = [simple("a1"), simple("a1")];

    expect(netChange({ addedTags: twice, removedTags: [] })).toEqual({ added: [simple("a1")], removed: [] });
    expect(netChange({ addedTags: [], removedTags: twice })).toEqual({ added: [], removed: [simple("a1")] });
  });

  it("two empty lists come to nothing", () => {
    expect(netChange({ addedTags: [], removedTags: [] })).toEqual({ added: [], removed: [] });
  });

  it("type and value are kept apart, whatever characters they have", () => {
    const addedTags = [
      { type: 'a","b', value: "c1" },
      { type: "a1", value: 'b","c1' },
    ];
    const removedTags = [
      { type: "c1", value: "a1" },
      { type: 'a","', value: "bc1" },
    ];

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
  it("is by type, then value", () => {
    const given = [
      { type: "b1", value: "a1" },
      { type: "a1", value: "b1" },
      { type: "a1", value: "a1" },
    ];

    expect(sortTags(given)).toEqual([given[2], given[1], given[0]]);
  });

  it("is by code point: capitals first, then small letters, then é, then U+FFFF, then an emoji", () => {
    const ordered = [
      "Zz",
      "a",
      "a!",
      "zz",
      "é",
      "\ud7ff",
      "\ue000",
      "\ufb01",
      "\uffff",
      "\u{10000}",
      "😀",
      "😀a",
      "😁",
    ];

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

  it("is made without changing the list given", () => {
    const given = [simple("b1"), simple("a1")];

    sortTags(given);

    expect(given).toEqual([simple("b1"), simple("a1")]);
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
