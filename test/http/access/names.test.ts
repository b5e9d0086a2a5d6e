import { describe, expect, it } from "vitest";
import { notFound, patchedTo, tagged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const update = { addedTags: [tag("team")], removedTags: [] };
const patch = [add("/-", { name: "blue", weight: 0 })];

const burgee = useBurgee();

describe("a project's name", () => {
  it("in another letter case is another's", async () => {
    const feature = await addFeature(burgee);

    expect(await burgee.patch(feature, patch, { project: "Default" })).toEqual(notFound());
  });
});

describe("one feature's name never reaches another's items", () => {
  it("a name that continues another's with the separator of keys is another feature", async () => {
    await addFeature(burgee, { name: "flag" });

    const answers = [
      await burgee.putTags("flag#ENVIRONMENT#development", update),
      await burgee.patch("flag#ENVIRONMENT#development", patch),
    ];

    expect(answers).toEqual([notFound(), notFound()]);
  });

  it("and a change of either leaves the other as it was", async () => {
    await addFeature(burgee, { name: "flags" });
    await addFeature(burgee, { name: "flags#ENVIRONMENT#development" });

    await burgee.putTags("flags#ENVIRONMENT#development", update);
    await burgee.patch("flags#ENVIRONMENT#development", patch);

    expect((await burgee.storedFeature("flags")).tags).toEqual({});
    expect((await burgee.storedEnvironment("flags", "development")).variants).toEqual([]);
  });

  it("an environment's name with the separator of keys is only a name", async () => {
    const feature = await addFeature(burgee, { environments: { FEATURE: [], "a#b/c": [] } });

    const answer = await burgee.patch(feature, patch);

    expect(answer).toEqual(patchedTo([variant("blue")]));
    expect((await burgee.storedEnvironment(feature, "a#b/c")).variants).toEqual([variant("blue")]);
  });
});

describe("a name longer than a key of the table is not found", () => {
  it.each([
    ["as long as a key of the table can be", "x".repeat(2040)],
    ["longer by one", "x".repeat(2041)],
    ["longer in bytes than in characters", "é".repeat(1021)],
    ["much longer", "x".repeat(100_000)],
  ])("%s: 404", async (_, name) => {
    const answers = [
      await burgee.putTags(name, update),
      await burgee.putTags(name, { addedTags: [], removedTags: [] }),
      await burgee.patch(name, patch),
      await burgee.patch("any", patch, { project: name }),
    ];

    expect(answers).toEqual([notFound(), notFound(), notFound(), notFound()]);
  });

  it("but the longest that a key of the table can hold is one like any other", async () => {
    const name = "y".repeat(2040);
    await addFeature(burgee, { name });

    const answers = [await burgee.putTags(name, update), await burgee.patch(name, patch)];

    expect(answers).toEqual([tagged(name, [tag("team")]), patchedTo([variant("blue")])]);
  });
});
