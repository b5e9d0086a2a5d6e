import { describe, expect, it } from "vitest";
import type { Permit } from "../../../lib/contract/permissions.ts";
import { everyAnswer, noAccess, notFound, tagsEtag, unauthenticated } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const etag = expect.stringMatching(/^"[\w-]{16}"$/);
const blue = variant("blue");
const green = variant("green");

const burgee = useBurgee();

describe("GET of a feature's tags answers 200 with", () => {
  it("all of them, by type and value", async () => {
    const feature = await addFeature(burgee, {
      tags: [tag("b", "y"), tag("a", "y"), tag("c", "x")].map(long),
    });

    const answer = await burgee.getTags(feature);

    const tags = [tag("c", "x"), tag("a", "y"), tag("b", "y")].map(long);
    expect(answer).toEqual({
      status: 200,
      headers: { ...everyAnswer, etag: tagsEtag },
      json: { version: 1, tags },
    });
  });

  it("what an update's location points to", async () => {
    const feature = await addFeature(burgee, { name: "a name/with 100%" });
    const update = await burgee.putTags(feature, { addedTags: [tag("team-a")], removedTags: [] });

    const answer = await burgee.send({ method: "GET", path: update.headers.location ?? "" });

    expect(answer.json).toEqual(update.json);
  });

  it("an empty list where it has none", async () => {
    expect(await burgee.getTags(await addFeature(burgee))).toMatchObject({ status: 200, json: { tags: [] } });
  });
});

describe("GET of a feature's variants answers 200 with", () => {
  it("those of its first environment, as the patch does", async () => {
    const feature = await addFeature(burgee, { environments: { zulu: [blue], alpha: [green] } });

    const answer = await burgee.getVariants(feature);

    expect(answer).toEqual({
      status: 200,
      headers: { ...everyAnswer, etag },
      json: { version: 1, variants: [blue] },
    });
  });

  it("an empty list where it has no environment", async () => {
    const feature = await addFeature(burgee, { environments: {} });

    expect(await burgee.getVariants(feature)).toMatchObject({ status: 200, json: { variants: [] } });
  });

  it("those of one environment, where the path names it", async () => {
    const feature = await addFeature(burgee, { environments: { zulu: [blue], "al/pha ü": [green] } });

    const answer = await burgee.getVariants(feature, { environment: "al/pha ü" });

    expect(answer).toEqual({
      status: 200,
      headers: { ...everyAnswer, etag },
      json: { version: 1, variants: [green] },
    });
  });
});

describe("a read of what is not there is answered with 404", () => {
  it("tags of an unknown feature", async () => {
    expect(await burgee.getTags("nothing")).toEqual(notFound());
  });

  it.each([
    ["variants of an unknown feature", {}],
    ["of an unknown environment", { environment: "nowhere" }],
    ["of an environment with a name that cannot be stored", { environment: "e".repeat(1013) }],
  ])("%s", async (_, place) => {
    const feature = "environment" in place ? await addFeature(burgee) : "nothing";

    expect(await burgee.getVariants(feature, place)).toEqual(notFound());
  });

  it.each([undefined, "development"])(
    "through another project's path, environment %s",
    async (environment) => {
      const feature = await addFeature(burgee, { project: "hers" });

      const answer = await burgee.getVariants(feature, { project: "theirs", environment });

      expect(answer).toEqual(notFound());
    },
  );
});

describe("a key may read in the projects where it has any permission at all:", () => {
  const inHers = { project: "hers" };

  it.each<[string, Permit]>([
    ["one everywhere", { permission: "UPDATE_FEATURE" }],
    ["one in the project", { permission: "UPDATE_FEATURE_VARIANTS", ...inHers }],
    [
      "one in an environment of it",
      { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", ...inHers, environment: "x" },
    ],
    ["one in an environment of any", { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment: "x" }],
    ["ADMIN in the project", { permission: "ADMIN", ...inHers }],
  ])("%s", async (_, permit) => {
    const feature = await addFeature(burgee, inHers);
    const key = await burgee.keyWith(permit);

    const answers = [
      await burgee.getTags(feature, { key }),
      await burgee.getVariants(feature, { key, ...inHers }),
      await burgee.getVariants(feature, { key, ...inHers, environment: "production" }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it.each<[string, Permit[]]>([
    ["none at all", []],
    ["one in another project", [{ permission: "ADMIN", project: "theirs" }]],
  ])("with %s it is refused with 403", async (_, permits) => {
    const feature = await addFeature(burgee, inHers);
    const key = await burgee.keyWith(...permits);

    const answers = [
      await burgee.getTags(feature, { key }),
      await burgee.getVariants(feature, { key, ...inHers }),
      await burgee.getVariants(feature, { key, ...inHers, environment: "production" }),
    ];

    expect(answers).toEqual([noAccess(), noAccess(), noAccess()]);
  });

  it("without a key it is refused with 401", async () => {
    const answers = [
      await burgee.getTags("any", { key: null }),
      await burgee.getVariants("any", { key: null }),
    ];

    expect(answers).toEqual([unauthenticated(), unauthenticated()]);
  });
});

describe("the etag of variants", () => {
  const environments = { development: [blue], production: [blue] };
  const red = [add("/-", { name: "red", weight: 0 })];

  async function tags(feature: string) {
    const places = [{}, { environment: "development" }, { environment: "production" }];
    const answers = await Promise.all(places.map((place) => burgee.getVariants(feature, place)));
    return answers.map(({ headers }) => headers.etag);
  }

  it("stays while nothing changes, also where a patch changes nothing", async () => {
    const feature = await addFeature(burgee, { environments });
    const before = await tags(feature);

    await burgee.patch(feature, []);

    expect(await tags(feature)).toEqual(before);
    expect(new Set(before).size).toBe(3);
  });

  it("of the feature changes with any of its environments, of an environment with that one alone", async () => {
    const feature = await addFeature(burgee, { environments });
    const [whole, development, production] = await tags(feature);

    const patch = await burgee.patch(feature, red, { environment: "production" });

    const after = await tags(feature);
    expect(after).toEqual([expect.any(String), development, patch.headers.etag]);
    expect(after[0]).not.toBe(whole);
    expect(after[2]).not.toBe(production);
  });

  it("that a patch answers is the one that is read afterwards", async () => {
    const feature = await addFeature(burgee, { environments });

    const patched = await burgee.patch(feature, red);
    const unchanged = await burgee.patch(feature, []);

    expect([patched.headers.etag, unchanged.headers.etag]).toEqual(
      Array(2).fill((await burgee.getVariants(feature)).headers.etag),
    );
  });

  it("is another for a feature that was removed and made again", async () => {
    const feature = await addFeature(burgee, { environments });
    const before = await tags(feature);

    await addFeature(burgee, { name: feature, environments });

    const after = await tags(feature);
    expect(after.map((each, at) => each === before[at])).toEqual([false, false, false]);
  });
});

describe("if-none-match", () => {
  it.each([
    ["the etag", (tag: string) => tag],
    ["the etag among others", (tag: string) => `"other", ${tag}`],
    ["the etag as a weak one", (tag: string) => `W/${tag}`],
    ["*", () => "*"],
  ])("with %s: 304 with the etag, and no body", async (_, value) => {
    const feature = await addFeature(burgee);
    const { headers } = await burgee.getVariants(feature);

    const answer = await burgee.getVariants(feature, {
      headers: { "if-none-match": value(headers.etag ?? "") },
    });

    const { "content-type": __, ...withoutType } = everyAnswer;
    expect(answer).toEqual({
      status: 304,
      headers: { ...withoutType, etag: headers.etag },
      json: undefined,
    });
  });

  it.each(['"other"', "W/", "", "no quotes"])("with %j: 200", async (value) => {
    const feature = await addFeature(burgee);

    const answer = await burgee.getVariants(feature, { headers: { "if-none-match": value } });

    expect(answer.status).toBe(200);
  });

  it("does not hold a patch back", async () => {
    const answer = await burgee.patch(await addFeature(burgee), [], { headers: { "if-none-match": "*" } });

    expect(answer.status).toBe(200);
  });
});

function long({ type, value }: { type: string; value: string }) {
  return tag(value.repeat(2), type.repeat(2));
}
