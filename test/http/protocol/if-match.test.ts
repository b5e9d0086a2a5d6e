import { describe, expect, it } from "vitest";
import { invalid, patchedTo, refused, tagged } from "../../support/answers.ts";
import { type Place, useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";
import type { Fate } from "../../support/wire.ts";

const blue = variant("blue");
const environments = { development: [blue], production: [blue] };
const stickTo = (name: string) => [add("/0/stickiness", name)];
const sticky = variant("blue", { stickiness: "userId" });

const burgee = useBurgee();

async function etagOf(feature: string, place: Place = {}): Promise<string> {
  return (await burgee.getVariants(feature, place)).headers.etag ?? "";
}

const ifMatch = (value: string) => ({ headers: { "if-match": value } });
const unmet = (etag: string) => refused(412, "PreconditionFailed", { headers: { etag } });
const everywhere: Place = {};
const inProduction: Place = { environment: "production" };

describe.each([
  ["every environment", everywhere],
  ["one environment", inProduction],
])("a patch of %s with if-match", (_, place) => {
  it.each([
    ["the etag that was read", (etag: string) => etag],
    ["the etag among others", (etag: string) => `"other" , ${etag}`],
    ["*", () => "*"],
  ])("%s is applied", async (_, value) => {
    const feature = await addFeature(burgee, { environments });
    const etag = await etagOf(feature, place);

    const answer = await burgee.patch(feature, stickTo("userId"), { ...place, ...ifMatch(value(etag)) });

    expect(answer).toEqual(patchedTo([sticky]));
    expect(answer.headers.etag).toBe(await etagOf(feature, place));
  });

  it.each([
    ["another etag", () => '"other"'],
    ["the etag as a weak one", (etag: string) => `W/${etag}`],
    ["an empty etag", () => '""'],
  ])("%s is refused with 412 and the current etag, and nothing is written", async (_, value) => {
    const feature = await addFeature(burgee, { environments });
    const etag = await etagOf(feature, place);

    const answer = await burgee.patch(feature, stickTo("userId"), { ...place, ...ifMatch(value(etag)) });

    expect(answer).toEqual(unmet(etag));
    expect(await etagOf(feature, place)).toBe(etag);
  });

  it("is refused once another request has changed what was read, and is applied with the ETag of that response", async () => {
    const feature = await addFeature(burgee, { environments });
    const read = await etagOf(feature, place);
    await burgee.patch(feature, stickTo("sessionId"), inProduction);

    const late = await burgee.patch(feature, stickTo("userId"), { ...place, ...ifMatch(read) });
    const { etag = "" } = late.headers;
    const again = await burgee.patch(feature, stickTo("userId"), { ...place, ...ifMatch(etag) });

    expect(late).toEqual(unmet(etag));
    expect(again).toEqual(patchedTo([sticky]));
  });

  it.each(["no-quotes", '"open', "", '"a" "b"', '*, "a"', '"tab\t"'])(
    "%j, which is malformed, is refused with 400",
    async (value) => {
      const feature = await addFeature(burgee, { environments });

      const answer = await burgee.patch(feature, stickTo("userId"), { ...place, ...ifMatch(value) });

      expect(answer).toEqual(invalid());
    },
  );

  it("is not retried after a write conflict: 412 with the current ETag", async () => {
    const feature = await addFeature(burgee, { environments });
    const etag = await etagOf(feature, place);
    beforeWriteOf("production", () => burgee.patch(feature, stickTo("sessionId"), inProduction));
    if (!place.environment) beforeWriteOf("development", () => burgee.patch(feature, stickTo("sessionId")));

    const answer = await burgee.patch(feature, stickTo("userId"), { ...place, ...ifMatch(etag) });

    expect(answer).toEqual(unmet(await etagOf(feature, place)));
    const { variants } = await burgee.storedEnvironment(feature, "production");
    expect(variants).toEqual([variant("blue", { stickiness: "sessionId" })]);
  });
});

it("returns 409 with each outcome when a write conflict follows a written environment", async () => {
  const feature = await addFeature(burgee, { environments });
  const etag = await etagOf(feature);
  beforeWriteOf("production", () => burgee.patch(feature, stickTo("sessionId"), inProduction));

  const answer = await burgee.patch(feature, stickTo("userId"), ifMatch(etag));

  const details = [
    { environment: "development", outcome: "patched" },
    { environment: "production", outcome: "failed", message: expect.any(String) },
  ];
  expect(answer).toEqual(refused(409, "ConflictError", { details }));
});

it("returns 412 when a write conflict follows unchanged environments only: nothing was written", async () => {
  const feature = await addFeature(burgee, { environments: { development: [sticky], production: [blue] } });
  const etag = await etagOf(feature);
  beforeWriteOf("production", () => burgee.patch(feature, stickTo("sessionId"), inProduction));

  const answer = await burgee.patch(feature, stickTo("userId"), ifMatch(etag));

  expect(answer).toEqual(unmet(await etagOf(feature)));
  expect(answer.headers.etag).not.toBe(etag);
});

it("two concurrent attempts of one request do not fail each other's precondition", async () => {
  const feature = await addFeature(burgee, { environments });
  const headers = { "if-match": await etagOf(feature), "idempotency-key": "one" };
  beforeWriteOf("production", () => burgee.patch(feature, stickTo("userId"), { headers }));

  const answer = await burgee.patch(feature, stickTo("userId"), { headers });

  expect(answer).toEqual(patchedTo([sticky], "development=patched, production=patched"));
  expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
});

it("retries a patch without If-Match on the fresh state after a write conflict", async () => {
  const feature = await addFeature(burgee, { environments });
  beforeWriteOf("production", () =>
    burgee.patch(feature, [add("/-", { name: "red", weight: 1 })], inProduction),
  );

  const answer = await burgee.patch(feature, stickTo("userId"));

  expect(answer.status).toBe(200);
  const { variants } = await burgee.storedEnvironment(feature, "production");
  expect(variants.map(({ name, stickiness }) => [name, stickiness])).toEqual([
    ["blue", "userId"],
    ["red", "default"],
  ]);
});

it("an unknown feature is a 404, whatever if-match says", async () => {
  expect((await burgee.patch("nothing", [], ifMatch("*"))).status).toBe(404);
});

describe("a tag update with If-Match", () => {
  const tagEtagOf = async (feature: string) => (await burgee.getTags(feature)).headers.etag ?? "";
  const adding = (value: string) => ({ addedTags: [tag(value)], removedTags: [] });
  const nothing = { addedTags: [], removedTags: [] };

  it.each([
    ["the ETag that was read", (etag: string) => etag],
    ["the ETag among others", (etag: string) => `"other" , ${etag}`],
    ["*", () => "*"],
  ])("%s is done, once and once more with the new ETag", async (_, value) => {
    const feature = await addFeature(burgee);

    const first = await burgee.putTags(feature, adding("a1"), ifMatch(value(await tagEtagOf(feature))));
    const second = await burgee.putTags(feature, adding("a2"), ifMatch(value(first.headers.etag ?? "")));

    expect(second).toEqual(tagged(feature, [tag("a1"), tag("a2")]));
    expect(second.headers.etag).toBe(await tagEtagOf(feature));
    expect(second.headers.etag).not.toBe(first.headers.etag);
  });

  it.each([
    ["another ETag", () => '"other"'],
    ["the ETag as a weak one", (etag: string) => `W/${etag}`],
    ["an empty ETag", () => '""'],
  ])("%s is refused with 412 and the current ETag, and nothing is written", async (_, value) => {
    const feature = await addFeature(burgee, { tags: [tag("kept")] });
    const etag = await tagEtagOf(feature);
    const path = `/api/admin/features/${feature}/tags?dryRun=true`;

    for (const options of [{}, { path }]) {
      expect(await burgee.putTags(feature, adding("a1"), { ...options, ...ifMatch(value(etag)) })).toEqual(
        unmet(etag),
      );
    }
    expect(await burgee.putTags(feature, nothing, ifMatch(value(etag)))).toEqual(unmet(etag));
    expect((await burgee.getTags(feature)).json.tags).toEqual([tag("kept")]);
  });

  it("is refused with 412 when another request has changed the tags in the meantime", async () => {
    const feature = await addFeature(burgee);
    const read = await tagEtagOf(feature);
    const { etag = "" } = (await burgee.putTags(feature, adding("theirs"))).headers;

    const answer = await burgee.putTags(feature, adding("ours"), ifMatch(read));

    expect(answer).toEqual(unmet(etag));
    expect((await burgee.getTags(feature)).json.tags).toEqual([tag("theirs")]);
  });

  it("of an unknown feature is a 404", async () => {
    expect((await burgee.putTags("nothing", adding("a1"), ifMatch("*"))).status).toBe(404);
  });
});

/** Something that happens just before the next write of an environment reaches the engine. */
function beforeWriteOf(environment: string, happens: () => Promise<unknown>): void {
  let happened = false;
  burgee.wire.decide(async ({ operation, input }): Promise<Fate> => {
    const isTheirs = JSON.stringify(input.Key ?? "").includes(`ENVIRONMENT#${environment}`);
    if (operation !== "UpdateItem" || !isTheirs || happened) return "pass";
    happened = true;
    await happens();
    return "pass";
  });
}
