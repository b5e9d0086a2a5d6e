import { describe, expect, it } from "vitest";
import { invalid, naming, notFound, tagged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature, tag } from "../../support/seed.ts";

const burgee = useBurgee();

describe("a tag update", () => {
  it("adds the tags of addedTags and removes those of removedTags", async () => {
    const feature = await addFeature(burgee, { tags: [tag("kept"), tag("old-1"), tag("old-2")] });

    const answer = await burgee.putTags(feature, {
      addedTags: [tag("new-1"), tag("new-2")],
      removedTags: [tag("old-1"), tag("old-2")],
    });

    expect(answer).toEqual(tagged(feature, [tag("kept"), tag("new-1"), tag("new-2")]));
  });

  it("is answered with 201, the location of the tags, version 1, and all tags that the feature now has", async () => {
    const feature = await addFeature(burgee, { name: "new checkout/ü", tags: [tag("team-a")] });

    const { status, headers, json } = await burgee.putTags(feature, {
      addedTags: [tag("team-b")],
      removedTags: [],
    });

    expect(status).toBe(201);
    expect(headers.location).toBe("/api/admin/features/new%20checkout%2F%C3%BC/tags");
    expect(json).toEqual({ version: 1, tags: [tag("team-a"), tag("team-b")] });
  });

  it("stays: the next update starts from it", async () => {
    const feature = await addFeature(burgee);

    await burgee.putTags(feature, { addedTags: [tag("one"), tag("two")], removedTags: [] });
    await burgee.putTags(feature, { addedTags: [tag("three")], removedTags: [tag("one")] });

    const answer = await burgee.putTags(feature, { addedTags: [], removedTags: [] });
    expect(answer).toEqual(tagged(feature, [tag("three"), tag("two")]));
  });

  it("changes the tags of one feature only", async () => {
    const feature = await addFeature(burgee);
    const other = await addFeature(burgee, { tags: [tag("team")] });

    await burgee.putTags(feature, { addedTags: [tag("more")], removedTags: [tag("team")] });

    const answer = await burgee.putTags(other, { addedTags: [], removedTags: [] });
    expect(answer).toEqual(tagged(other, [tag("team")]));
  });

  it("changes nothing for a tag to add that is there already", async () => {
    const feature = await addFeature(burgee, { tags: [tag("team")] });

    const answer = await burgee.putTags(feature, { addedTags: [tag("team")], removedTags: [] });

    expect(answer).toEqual(tagged(feature, [tag("team")]));
  });

  it("changes nothing for a tag to remove that is not there", async () => {
    const feature = await addFeature(burgee, { tags: [tag("team")] });

    const answer = await burgee.putTags(feature, { addedTags: [], removedTags: [tag("absent")] });

    expect(answer).toEqual(tagged(feature, [tag("team")]));
  });

  it.each([
    ["was there before", [tag("both")]],
    ["was not there before", []],
  ])("removes a tag that is in both lists, as all adds come first: it %s", async (_, tags) => {
    const feature = await addFeature(burgee, { tags });

    const answer = await burgee.putTags(feature, {
      addedTags: [tag("both"), tag("added")],
      removedTags: [tag("both")],
    });

    expect(answer).toEqual(tagged(feature, [tag("added")]));
  });

  it("counts a tag that is twice in a list once", async () => {
    const feature = await addFeature(burgee, { tags: [tag("old")] });

    const answer = await burgee.putTags(feature, {
      addedTags: [tag("new"), tag("new")],
      removedTags: [tag("old"), tag("old")],
    });

    expect(answer).toEqual(tagged(feature, [tag("new")]));
  });

  it("with both lists empty gives 201 with the tags as they are, and writes nothing", async () => {
    const feature = await addFeature(burgee, { tags: [tag("team")] });
    const before = await burgee.storedFeature(feature);
    burgee.wire.reset();

    const answer = await burgee.putTags(feature, { addedTags: [], removedTags: [] });

    expect(answer).toEqual(tagged(feature, [tag("team")]));
    expect(burgee.wire.calls.map(({ operation }) => operation)).not.toContain("UpdateItem");
    expect(await burgee.storedFeature(feature)).toEqual(before);
  });

  it("may remove the last tag", async () => {
    const feature = await addFeature(burgee, { tags: [tag("team")] });

    const answer = await burgee.putTags(feature, { addedTags: [], removedTags: [tag("team")] });

    expect(answer).toEqual(tagged(feature, []));
  });

  it.each([
    ["with tags to add", [tag("team")], []],
    ["with tags to remove", [], [tag("team")]],
    ["with nothing to do", [], []],
  ])("of an unknown feature is refused with 404: %s", async (_, addedTags, removedTags) => {
    const answer = await burgee.putTags("missing", { addedTags, removedTags });

    expect(answer).toEqual(notFound());
  });

  it("of which one tag is refused changes nothing: it is done whole or not at all", async () => {
    const feature = await addFeature(burgee, { tags: [tag("old")] });
    const before = await burgee.storedFeature(feature);

    const answer = await burgee.putTags(feature, {
      addedTags: [tag("new"), tag("x")],
      removedTags: [tag("old")],
    });

    expect(answer.status).toBe(400);
    expect(await burgee.storedFeature(feature)).toEqual(before);
  });

  it("is not lost when others update the same feature at the same time", async () => {
    const feature = await addFeature(burgee);
    const tags = Array.from({ length: 20 }, (_, index) => tag(`team-${10 + index}`));

    await Promise.all(tags.map((one) => burgee.putTags(feature, { addedTags: [one], removedTags: [] })));

    const answer = await burgee.putTags(feature, { addedTags: [], removedTags: [] });
    expect(answer).toEqual(tagged(feature, tags));
  });
});

describe("tags that would not fit in a stored item", () => {
  const large = (index: number) => tag(String(index).padStart(50, "0"), "t".repeat(50));
  const larges = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => large(from + index));

  /** So many that the next hundred are too many. */
  async function addFullFeature(): Promise<string> {
    const feature = await addFeature(burgee, { tags: larges(0, 3500) });
    await burgee.putTags(feature, { addedTags: larges(3500, 3600), removedTags: [] });
    await burgee.putTags(feature, { addedTags: larges(3600, 3700), removedTags: [] });
    return feature;
  }

  it("are refused with 400 that names the tags and the limit, and nothing of them is stored", async () => {
    const feature = await addFullFeature();
    const before = await burgee.storedFeature(feature);

    const answer = await burgee.putTags(feature, { addedTags: larges(3700, 3800), removedTags: [large(0)] });

    expect(answer).toEqual(invalid({ message: naming("tags", feature, "400 KB") }));
    expect(await burgee.storedFeature(feature)).toEqual(before);
  });

  it("may be added together with a removal that makes room", async () => {
    const feature = await addFullFeature();

    const answer = await burgee.putTags(feature, {
      addedTags: larges(3700, 3800),
      removedTags: larges(0, 100),
    });

    expect(answer).toEqual(tagged(feature, larges(100, 3800)));
  });
});
