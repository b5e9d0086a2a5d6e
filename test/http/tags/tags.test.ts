/** The tag update. All rules of its fields: test/unit/contract/tags.test.ts */
import { describe, expect, it } from "vitest";
import type { Tag } from "../../../lib/contract/tags.ts";
import { invalid, issuesAt, naming, notFound, tagged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { times } from "../../support/patching.ts";
import { addFeature, tag } from "../../support/seed.ts";

const burgee = useBurgee();

const team = tag("team");
const old = tag("old");
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
    ["counts a tag that a list has twice once", [old], [team, team], [old, old], [team]],
  ])("%s", async (_, stored, added, removed, left) => {
    const feature = await addFeature(burgee, { tags: stored });

    expect(await burgee.putTags(feature, update(added, removed))).toEqual(tagged(feature, left));
    expect((await burgee.getTags(feature)).json.tags).toEqual(left);
  });

  it.each([
    ["the same value of another type", [tag("team", "alpha"), tag("team", "beta")]],
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

  it("with two empty lists returns the tags and writes nothing", async () => {
    const feature = await addFeature(burgee, { tags: [team] });
    const before = await burgee.storedFeature(feature);

    expect(await burgee.putTags(feature, update([]))).toEqual(tagged(feature, [team]));
    expect(burgee.writes()).toEqual([]);
    expect(await burgee.storedFeature(feature)).toEqual(before);
  });

  it("that changes nothing is not written, and has the ETag of the last one that did", async () => {
    const feature = await addFeature(burgee, { tags: [team] });
    const { etag } = (await burgee.getTags(feature)).headers;

    const answer = await burgee.putTags(feature, update([team], [old]));

    expect(answer).toEqual(tagged(feature, [team]));
    expect(answer.headers.etag).toBe(etag);
    expect(burgee.writes()).toEqual([]);
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

it("a tag update with 101 tags in a list returns 400 that names the limit, and writes nothing", async () => {
  const feature = await addFeature(burgee);

  const answer = await burgee.putTags(feature, update(numbered(101, "new"), numbered(101, "old")));

  const details = issuesAt("/addedTags", "/removedTags");
  expect(answer).toEqual(invalid({ message: naming("100"), details }));
  expect(burgee.writes()).toEqual([]);
});

it.each([
  ["idempotency-key", "this request stores no idempotency key"],
  ["burgee-reason", "this request stores no reason"],
])("refuses %s, says why, and writes nothing", async (name, why) => {
  const feature = await addFeature(burgee);

  const { status, json } = await burgee.putTags(feature, update([team]), { headers: { [name]: "once" } });

  expect({ status, message: json.message }).toEqual({ status: 400, message: expect.stringContaining(why) });
  expect(burgee.writes()).toEqual([]);
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

it("tags that would take more than 190 KiB are refused with 400 that names the limit, in a dry run as well", async () => {
  const large = (index: number) => tag(String(index).padStart(50, "0"), "t".repeat(50));
  const larges = (from: number, to: number) => times(to - from, (index) => large(from + index));
  // 107 characters of JSON each, and two bytes.
  const count = 1784;
  const feature = await addFeature(burgee, { tags: larges(0, count) });
  const before = await burgee.storedFeature(feature);

  for (const dryRun of [true, false]) {
    const answer = await burgee.putTags(feature, update(larges(count, count + 5)), { dryRun });
    expect(answer).toEqual(invalid({ message: naming("tags", "190 KiB") }));
  }
  expect(await burgee.storedFeature(feature)).toEqual(before);
  const makingRoom = await burgee.putTags(feature, update(larges(count, count + 5), larges(0, 5)));
  expect(makingRoom.status).toBe(201);
});
