/** The tag update. All rules of its fields: test/unit/contract/tags.test.ts */
import { beforeAll, describe, expect, it } from "vitest";
import type { Tag } from "../../../lib/contract/tags.ts";
import { faultsAt, invalid, naming, notFound, tagged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { times } from "../../support/patching.ts";
import { addFeature, tag } from "../../support/seed.ts";

const burgee = useBurgee();

const team = tag("team");
const old = tag("old");
const both = tag("both");
const update = (addedTags: unknown[], removedTags: unknown[] = []) => ({ addedTags, removedTags });
const numbered = (count: number, prefix: string) => times(count, (index) => tag(`${prefix}-${100 + index}`));

describe("a tag update", () => {
  it.each<[string, stored: Tag[], added: Tag[], removed: Tag[], left: Tag[]]>([
    [
      "adds addedTags and removes removedTags",
      [tag("kept"), tag("old-1"), tag("old-2")],
      [tag("new-1"), tag("new-2")],
      [tag("old-1"), tag("old-2")],
      [tag("kept"), tag("new-1"), tag("new-2")],
    ],
    ["ignores an added tag that the feature has", [team], [team], [], [team]],
    ["ignores a removed tag that the feature does not have", [team], [], [tag("absent")], [team]],
    ["removes a tag of both lists that the feature has", [both], [both, team], [both], [team]],
    ["does not add a tag of both lists that the feature does not have", [], [both, team], [both], [team]],
    ["counts a tag that a list has twice once", [old], [team, team], [old, old], [team]],
    [
      "lists tags by type before value",
      [],
      [tag("aa", "bb"), tag("zz", "aa")],
      [],
      [tag("zz", "aa"), tag("aa", "bb")],
    ],
    [
      "lists an emoji after every character of the basic plane",
      [],
      [tag("😀x"), tag("\uff5ex")],
      [],
      [tag("\uff5ex"), tag("😀x")],
    ],
    [
      "gives a feature more than 100",
      numbered(150, "old"),
      numbered(100, "new"),
      [],
      [...numbered(100, "new"), ...numbered(150, "old")],
    ],
  ])("%s", async (_, stored, added, removed, left) => {
    const feature = await addFeature(burgee, { tags: stored });

    expect(await burgee.putTags(feature, update(added, removed))).toEqual(tagged(feature, left));
    expect((await burgee.getTags(feature)).json.tags).toEqual(left);
  });

  it("returns the location of the tags, percent-encoded", async () => {
    const feature = await addFeature(burgee, { name: "new checkout/ü" });

    const { headers } = await burgee.putTags(feature, update([team]));

    expect(headers.location).toBe("/api/admin/features/new%20checkout%2F%C3%BC/tags");
  });

  it.each([
    ["the same value of another type", [tag("team", "alpha"), tag("team", "beta")]],
    ["another letter case", [tag("TEAM"), team]],
    ["white space around, which is not trimmed", [tag(" team"), team, tag("team ")]],
    ["an accent composed another way", [tag("cafe\u0301"), tag("caf\u00e9")]],
    ["names of the database's language", [tag("#a0", ":true"), tag("tags.#a0", "SET")]],
  ])("compares type and value byte by byte: %s", async (_, tags) => {
    const feature = await addFeature(burgee);

    const added = await burgee.putTags(feature, update(tags));
    const removed = await burgee.putTags(feature, update([], tags.slice(0, 1)));

    expect(added).toEqual(tagged(feature, tags));
    expect(removed).toEqual(tagged(feature, tags.slice(1)));
  });

  it("starts from the last update of the same feature, and changes no other", async () => {
    const feature = await addFeature(burgee);
    const other = await addFeature(burgee, { tags: [tag("one")] });

    await burgee.putTags(feature, update([tag("one"), tag("two")]));
    await burgee.putTags(feature, update([tag("three")], [tag("one")]));

    expect(await burgee.putTags(feature, update([]))).toEqual(tagged(feature, [tag("three"), tag("two")]));
    expect(await burgee.putTags(other, update([]))).toEqual(tagged(other, [tag("one")]));
  });

  it("with two empty lists returns the tags and writes nothing", async () => {
    const feature = await addFeature(burgee, { tags: [team] });
    const before = await burgee.storedFeature(feature);

    expect(await burgee.putTags(feature, update([]))).toEqual(tagged(feature, [team]));
    expect(burgee.writes()).toEqual([]);
    expect(await burgee.storedFeature(feature)).toEqual(before);
  });

  it.each([
    ["adds tags", update([team])],
    ["changes nothing", update([])],
  ])("of an unknown feature returns 404 that names it when it %s", async (_, body) => {
    const answer = await burgee.putTags("missing", body);

    expect(answer).toEqual(notFound());
    expect(answer.json.message).toEqual(naming("missing"));
  });
});

describe("a tag update returns 400, and writes nothing, for", () => {
  it.each<[string, body: unknown, places: string[], words: string[]]>([
    [
      "101 tags in a list",
      update(numbered(101, "new"), numbered(101, "old")),
      ["/addedTags", "/removedTags"],
      ["100"],
    ],
    [
      "several issues at once",
      {
        addedTags: [{ value: "a", type: "simple" }, { value: "team" }, "team", { value: 12, type: "" }],
        removedTags: [{ ...team, "a/b~c": true }],
        more: [],
      },
      [
        "/addedTags/0/value",
        "/addedTags/1/type",
        "/addedTags/2",
        "/addedTags/3/value",
        "/addedTags/3/type",
        "/removedTags/0/a~1b~0c",
        "/more",
      ],
      [],
    ],
    ["a body that is a list", [], [""], []],
  ])("%s", async (_, body, places, words) => {
    const feature = await addFeature(burgee);

    const refusal = invalid({ message: naming(...words), details: faultsAt(...places) });
    expect(await burgee.putTags(feature, body)).toEqual(refusal);
    expect(burgee.writes()).toEqual([]);
  });
});

it("a tag's color, which newer Unleash versions send, is dropped, and makes no other tag of it", async () => {
  const feature = await addFeature(burgee, { tags: [old] });

  const answer = await burgee.putTags(
    feature,
    update(
      [
        { ...team, color: "red" },
        { ...team, color: null },
      ],
      [{ ...old, color: { dark: "#000" } }],
    ),
  );

  expect(answer).toEqual(tagged(feature, [team]));
  expect(JSON.stringify(await burgee.storedFeature(feature))).not.toContain("color");
});

describe("tags that would not fit in a stored item", () => {
  const large = (index: number) => tag(String(index).padStart(50, "0"), "t".repeat(50));
  const larges = (from: number, to: number) => times(to - from, (index) => large(from + index));
  const tooMany = update(larges(3700, 3800), [large(0)]);
  let feature: string;

  /** So many that the next hundred are too many. */
  beforeAll(async () => {
    feature = await addFeature(burgee, { tags: larges(0, 3500) });
    await burgee.putTags(feature, update(larges(3500, 3600)));
    await burgee.putTags(feature, update(larges(3600, 3700)));
  });

  it.each([false, true])("are refused with 400 that names the limit; dry run: %s", async (dryRun) => {
    const before = await burgee.storedFeature(feature);

    const answer = await burgee.putTags(feature, tooMany, { dryRun });

    expect(answer).toEqual(invalid({ message: naming("tags", feature, "400 KiB") }));
    expect(await burgee.storedFeature(feature)).toEqual(before);
  });

  it("are refused where they would fit without what is stored beside them, in a dry run as well", async () => {
    const environments = Object.fromEntries(times(8, (index) => [`${index}`.padEnd(1000, "e"), []]));
    const wide = await addFeature(burgee, { project: "wide", environments, tags: larges(0, 3500) });
    await burgee.putTags(wide, update(larges(3500, 3600)));
    await burgee.putTags(wide, update(larges(3600, 3650)));

    const answers = [true, false].map((dryRun) =>
      burgee.putTags(wide, update(larges(3650, 3700)), { dryRun }),
    );

    const refusal = invalid({ message: naming("tags", wide, "400 KiB") });
    expect(await Promise.all(answers)).toEqual([refusal, refusal]);
  });

  it("are accepted with a removal that makes room", async () => {
    const answer = await burgee.putTags(feature, update(larges(3700, 3800), larges(0, 100)));

    expect(answer).toEqual(tagged(feature, larges(100, 3800)));
  });
});
