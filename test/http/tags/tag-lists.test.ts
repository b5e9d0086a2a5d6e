/** What a tag update's body must be. All rules of its fields: test/unit/contract/tags.test.ts */
import { describe, expect, it } from "vitest";
import { faultsAt, invalid, naming, tagged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature, tag } from "../../support/seed.ts";

const burgee = useBurgee();

describe("a value and a type of 2 to 50 code points are accepted", () => {
  it.each([
    ["50 emoji, which are 100 UTF-16 units", "😀".repeat(50)],
    ["2 code points that make one character", "e\u0301"],
  ])("%s", async (_, text) => {
    const feature = await addFeature(burgee);

    const answer = await burgee.putTags(feature, {
      addedTags: [tag(text), tag("team", text)],
      removedTags: [tag("other", text)],
    });

    expect(answer.status).toBe(201);
    expect(answer.json.tags).toHaveLength(2);
    expect(answer.json.tags).toEqual(expect.arrayContaining([tag(text), tag("team", text)]));
  });
});

describe("any other length is refused with 400, in addedTags and removedTags alike", () => {
  it.each([
    ["51 letters", "a".repeat(51)],
    ["1 emoji, which is 2 UTF-16 units", "😀"],
  ])("%s", async (_, text) => {
    const addedTags = [tag("fine"), tag(text)];
    const removedTags = [tag("fine", text)];

    const answer = await burgee.putTags("any", { addedTags, removedTags });

    const details = faultsAt("/addedTags/1/value", "/removedTags/0/type");
    expect(answer).toEqual(invalid({ message: naming("2", "50"), details }));
  });
});

describe("each list has at most 100 tags", () => {
  const tags = (length: number, prefix: string) =>
    Array.from({ length }, (_, index) => tag(`${prefix}-${100 + index}`));

  it("100 tags in each list are accepted", async () => {
    const feature = await addFeature(burgee, { tags: tags(100, "old") });

    const answer = await burgee.putTags(feature, {
      addedTags: tags(100, "new"),
      removedTags: tags(100, "old"),
    });

    expect(answer).toEqual(tagged(feature, tags(100, "new")));
  });

  it("101 tags in a list are refused with 400 that names the limit", async () => {
    const answer = await burgee.putTags("any", {
      addedTags: tags(101, "new"),
      removedTags: tags(101, "old"),
    });

    const details = faultsAt("/addedTags", "/removedTags");
    expect(answer).toEqual(invalid({ message: naming("100"), details }));
  });

  it("a feature may have more than 100", async () => {
    const feature = await addFeature(burgee, { tags: tags(150, "old") });

    const answer = await burgee.putTags(feature, { addedTags: tags(100, "new"), removedTags: [] });

    expect(answer).toEqual(tagged(feature, [...tags(100, "new"), ...tags(150, "old")]));
  });
});

describe("both lists are required, and hold tags with a value and a type", () => {
  const empty = { addedTags: [], removedTags: [] };

  it.each<[string, unknown, string[]]>([
    ["no addedTags", { removedTags: [] }, ["/addedTags"]],
    ["no removedTags", { addedTags: [] }, ["/removedTags"]],
    ["a tag that is a text", { ...empty, addedTags: ["simple:team"] }, ["/addedTags/0"]],
    ["a tag without a type", { ...empty, removedTags: [{ value: "team" }] }, ["/removedTags/0/type"]],
  ])("%s is refused with 400", async (_, body, paths) => {
    const answer = await burgee.putTags("any", body);

    expect(answer).toEqual(invalid({ details: faultsAt(...paths) }));
  });
});

describe("unknown members", () => {
  it("are refused with 400 that names them, in the body", async () => {
    const answer = await burgee.putTags("any", { addedTags: [], removedTags: [], tags: [], addedtags: [] });

    const details = faultsAt("/tags", "/addedtags");
    expect(answer).toEqual(invalid({ message: naming("/tags"), details }));
  });

  it("are refused with 400 that names them, in a tag", async () => {
    const answer = await burgee.putTags("any", {
      addedTags: [{ ...tag("team"), Color: "#fff" }],
      removedTags: [{ ...tag("team"), createdAt: null }],
    });

    const details = faultsAt("/addedTags/0/Color", "/removedTags/0/createdAt");
    expect(answer).toEqual(invalid({ message: naming("Color"), details }));
  });

  it.each(["#ff0000", null, { dark: "#000" }])(
    "are accepted and dropped when they are a tag's color: %j",
    async (color) => {
      const feature = await addFeature(burgee, { tags: [tag("old")] });

      const answer = await burgee.putTags(feature, {
        addedTags: [{ ...tag("team"), color }],
        removedTags: [{ ...tag("old"), color }],
      });

      expect(answer).toEqual(tagged(feature, [tag("team")]));
      expect(JSON.stringify(await burgee.storedFeature(feature))).not.toContain("color");
    },
  );

  it("two tags that differ in color alone are one tag", async () => {
    const feature = await addFeature(burgee);

    const answer = await burgee.putTags(feature, {
      addedTags: [
        { ...tag("team"), color: "red" },
        { ...tag("team"), color: "blue" },
      ],
      removedTags: [],
    });

    expect(answer).toEqual(tagged(feature, [tag("team")]));
  });
});
