import { describe, expect, it } from "vitest";
import { invalid, patchedTo, refused } from "../support/answers.ts";
import { type Place, useBurgee } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";
import type { Fate } from "../support/wire.ts";

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

  it("is refused once somebody changed what was read, and goes through with the etag of the answer", async () => {
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

  it("a conflict with somebody who was faster is not tried again: 412 with the etag that they left", async () => {
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

it("a conflict after an environment was patched is a 409 that tells of each, as something is written", async () => {
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

it("a patch that left the environments before it as they were is refused with 412: nothing was written", async () => {
  const feature = await addFeature(burgee, { environments: { development: [sticky], production: [blue] } });
  const etag = await etagOf(feature);
  beforeWriteOf("production", () => burgee.patch(feature, stickTo("sessionId"), inProduction));

  const answer = await burgee.patch(feature, stickTo("userId"), ifMatch(etag));

  expect(answer).toEqual(unmet(await etagOf(feature)));
  expect(answer.headers.etag).not.toBe(etag);
});

it("a request that is sent twice at once is no obstacle to itself", async () => {
  const feature = await addFeature(burgee, { environments });
  const headers = { "if-match": await etagOf(feature), "idempotency-key": "one" };
  beforeWriteOf("production", () => burgee.patch(feature, stickTo("userId"), { headers }));

  const answer = await burgee.patch(feature, stickTo("userId"), { headers });

  expect(answer).toEqual(patchedTo([sticky], "development=patched, production=patched"));
  expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
});

it("a patch without if-match is tried again on what the faster one left", async () => {
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

it("the tag update has no etag, and looks at no if-match", async () => {
  const feature = await addFeature(burgee);

  const answer = await burgee.putTags(feature, { addedTags: [], removedTags: [] }, ifMatch('"other"'));

  expect(answer.status).toBe(201);
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
