import { describe, expect, it } from "vitest";
import { tagged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature, tag } from "../../support/seed.ts";

const burgee = useBurgee();

describe("tags are listed by type, then value, by code point", () => {
  it.each([
    ["the type counts before the value", [tag("zz", "aa"), tag("aa", "bb")]],
    ["an emoji comes after every character of the basic plane", [tag("\uff5ex"), tag("😀x")]],
  ])("%s", async (_, tags) => {
    const feature = await addFeature(burgee);

    const answer = await burgee.putTags(feature, { addedTags: tags.toReversed(), removedTags: [] });

    expect(answer).toEqual(tagged(feature, tags));
  });
});

describe("tags are told apart by type and value as they are", () => {
  it.each([
    ["the same value of another type", [tag("team", "alpha"), tag("team", "beta")]],
    ["another letter case", [tag("TEAM"), tag("team")]],
    ["white space around, which is not trimmed", [tag(" team"), tag("team"), tag("team ")]],
    ["white space alone", [tag("  "), tag("\t\n")].toReversed()],
    ["quotes and commas", [tag('b","c', "aa"), tag("cc", 'aa","b')]],
    ["an accent composed another way", [tag("cafe\u0301"), tag("caf\u00e9")]],
    ["any type at all", [tag("team", "!?"), tag("team", "no such type"), tag("team", "类型")]],
    ["names of the database's language", [tag("#a0", ":true"), tag("tags.#a0", "SET")]],
  ])("%s", async (_, tags) => {
    const feature = await addFeature(burgee);

    const added = await burgee.putTags(feature, { addedTags: tags, removedTags: [] });
    const removed = await burgee.putTags(feature, { addedTags: [], removedTags: tags.slice(0, 1) });

    expect(added).toEqual(tagged(feature, tags));
    expect(removed).toEqual(tagged(feature, tags.slice(1)));
  });
});
