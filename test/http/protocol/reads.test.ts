/** GET of tags and variants, ETags and If-None-Match. A read in each scope of a key: ../access/access.test.ts */
import { describe, expect, it } from "vitest";
import { everyAnswer, naming, notFound, withTags, withVariants } from "../../support/answers.ts";
import { type Place, useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const etag = expect.stringMatching(/^"[\w-]{16}"$/);
const blue = variant("blue");
const green = variant("green");

const burgee = useBurgee();

it("a read of tags returns all of them, by type and value in code points", async () => {
  const tags = [tag("cc", "xx"), tag("\uff5ex", "yy"), tag("😀x", "yy")];
  const feature = await addFeature(burgee, { tags: tags.toReversed() });

  expect(await burgee.getTags(feature)).toEqual({
    status: 200,
    headers: { ...everyAnswer, etag: expect.stringMatching(/^"[\w-]{16}"$/) },
    json: withTags(tags),
  });
});

it.each<[string, environments: object, Place, variants: object[]]>([
  ["those of the first environment, as a patch does", { zulu: [blue], alpha: [green] }, {}, [blue]],
  ["an empty list where there is no environment", {}, {}, []],
  ["those of one environment", { zulu: [blue], "al/pha ü": [green] }, { environment: "al/pha ü" }, [green]],
])("a read of variants returns %s", async (_, environments, place, variants) => {
  const feature = await addFeature(burgee, { environments: { ...environments } });

  expect(await burgee.getVariants(feature, place)).toEqual({
    status: 200,
    headers: { ...everyAnswer, etag },
    json: withVariants(variants),
  });
});

it.each<[string, Place, string]>([
  ["an unknown environment", { environment: "nowhere" }, 'no environment "nowhere"'],
  ["an environment with a name that cannot be stored", { environment: "e".repeat(1013) }, "no environment"],
  ["a feature at another project's path", { project: "theirs" }, '"theirs"'],
  ["an environment at another project's path", { project: "theirs", environment: "development" }, '"theirs"'],
])("a read returns 404 for %s, and for an unknown feature", async (_, place, named) => {
  const answer = await burgee.getVariants(await addFeature(burgee), place);
  expect(answer).toEqual(notFound());
  expect(answer.json.message).toContain(named);
  expect(await burgee.getVariants("no-such-one", place)).toEqual(notFound());
  expect((await burgee.getTags("no-such-one")).json.message).toEqual(naming("no-such-one"));
});

describe("the ETag of variants", () => {
  const environments = { development: [blue], production: [blue] };
  const addRed = [add("/-", { name: "red", weight: 0 })];

  /** The ETags of the feature, of development and of production. */
  async function etags(feature: string) {
    const places = [{}, { environment: "development" }, { environment: "production" }];
    return Promise.all(places.map((place) => burgee.etag(feature, place)));
  }

  it("stays while nothing changes, also where a patch changes nothing", async () => {
    const feature = await addFeature(burgee, { environments });
    const before = await etags(feature);

    const { headers } = await burgee.patchVariants(feature, []);

    expect(await etags(feature)).toEqual(before);
    expect(new Set(before).size).toBe(3);
    expect(headers.etag).toBe(before[0]);
  });

  it("of the feature changes with any environment, of an environment with that one alone", async () => {
    const feature = await addFeature(burgee, { environments });
    const [whole, development, production] = await etags(feature);

    const patch = await burgee.patchVariants(feature, addRed, { environment: "production" });

    const after = await etags(feature);
    expect(after).toEqual([expect.any(String), development, patch.headers.etag]);
    expect(after[0]).not.toBe(whole);
    expect(after[2]).not.toBe(production);
  });
});

describe("If-None-Match", () => {
  it.each([
    ["the ETag", (etag: string) => etag],
    ["the ETag among others", (etag: string) => `"other", ${etag}`],
    ["the ETag as a weak one", (etag: string) => `W/${etag}`],
    ["*", () => "*"],
  ])("with %s returns 304 with the ETag, and no body", async (_, value) => {
    const feature = await addFeature(burgee);
    const etag = await burgee.etag(feature);

    const answer = await burgee.getVariants(feature, { headers: { "if-none-match": value(etag) } });

    const { "content-type": __, ...withoutType } = everyAnswer;
    expect(answer).toEqual({ status: 304, headers: { ...withoutType, etag }, json: undefined });
  });

  it("with another ETag, or a malformed one, returns 200: of tags as well, once they change", async () => {
    const feature = await addFeature(burgee);
    const { etag = "" } = (await burgee.getTags(feature)).headers;
    const read = async (value: string) =>
      (await burgee.getTags(feature, { headers: { "if-none-match": value } })).status;

    expect([await read(etag), await read('"other"'), await read("no quotes")]).toEqual([304, 200, 200]);
    await burgee.putTags(feature, { addedTags: [tag("added")], removedTags: [] });
    expect(await read(etag)).toBe(200);
  });
});
