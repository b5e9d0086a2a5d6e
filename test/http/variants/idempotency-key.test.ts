import { describe, expect, it } from "vitest";
import { invalid, naming, patchedTo, refused } from "../../support/answers.ts";
import { type Place, useBurgee } from "../../support/burgee.ts";
import { add, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";
import type { Fate } from "../../support/wire.ts";

const blue = variant("blue");
const environments = { development: [blue], production: [blue] };
const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
/** Applied twice it would be refused, or show. */
const adding = (name: string) => [add("/-", { name, weight: 1 })];
const both = "development=patched, production=patched";

const burgee = useBurgee();

describe("a patch that is retried with its Idempotency-Key", () => {
  it("is not applied again, and returns the first response", async () => {
    const feature = await addFeature(burgee, { environments });
    const first = await burgee.patch(feature, adding("red"), withKey("one"));

    const again = await burgee.patch(feature, adding("red"), withKey("one"));

    expect(again).toEqual(first);
    expect(again.headers["burgee-environments"]).toBe(both);
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
  });

  it("is finished where it stopped, once what stopped it is gone", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), { environment: "production" });
    const stopped = await burgee.patch(feature, adding("red"), withKey("one"));
    await burgee.patch(feature, [{ op: "remove", path: "/1" }], { environment: "production" });

    const finished = await burgee.patch(feature, adding("red"), withKey("one"));

    expect(stopped.json.details).toMatchObject([{ outcome: "patched" }, { outcome: "failed" }]);
    expect(finished).toEqual(
      patchedTo([variant("blue", { weight: 500 }), variant("red", { weight: 500 })], both),
    );
    expect(await burgee.names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("returns what later patches made of the variants", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), withKey("one"));
    await burgee.patch(feature, adding("amber"));

    const { json } = await burgee.patch(feature, adding("red"), withKey("one"));

    expect(json.variants.map(({ name }: { name: string }) => name)).toEqual(["amber", "blue", "red"]);
  });

  it("is recognised after more patches than its environment remembers, with keys and without", async () => {
    const feature = await addFeature(burgee, { environments: { development: [blue] } });
    const once = () => burgee.patch(feature, adding("red"), withKey("one"));
    const others = [...times(20, (at) => withKey(`other-${at}`)), ...times(20, () => ({}))];
    await once();
    for (const [at, options] of others.entries())
      await burgee.patch(feature, [add("/0/stickiness", `s${at}`)], options);

    const again = await once();
    const reused = await burgee.patch(feature, adding("amber"), withKey("one"));

    expect(again.status).toBe(200);
    expect(reused).toEqual(refused(409, "ConflictError"));
    expect(await burgee.storedEnvironment(feature, "development")).toMatchObject({ revision: 42 });
  });

  it("in a dry run shows that nothing is left to do", async () => {
    const feature = await addFeature(burgee, { environments: { development: [blue] } });
    await burgee.patch(feature, adding("red"), withKey("one"));

    const { json } = await burgee.patch(feature, adding("red"), { ...withKey("one"), dryRun: true });

    expect(json.environments).toMatchObject([
      { environment: "development", outcome: "patched", changes: [] },
    ]);
  });
});

describe("an Idempotency-Key that is reused with another request returns 409 and writes nothing:", () => {
  it.each([
    ["another body", adding("amber"), {}],
    ["the path of one environment", adding("red"), { environment: "production" }],
    ["the variants by name", adding("red"), { query: "by=name" }],
  ])("%s", async (_, patch, place: Place) => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), withKey("one"));

    const answer = await burgee.patch(feature, patch, { ...place, ...withKey("one") });

    const message = naming("Idempotency-Key", "different body");
    expect(answer).toEqual(refused(409, "ConflictError", { message }));
    for (const environment of Object.keys(environments)) {
      expect(await burgee.names(feature, environment)).toEqual(["blue", "red"]);
      expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({ revision: 2 });
    }
  });

  it("also in the first environment when only the last one has the key", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), { ...withKey("one"), environment: "production" });

    const answer = await burgee.patch(feature, adding("red"), withKey("one"));

    expect(answer).toEqual(refused(409, "ConflictError"));
    expect(await burgee.names(feature)).toEqual(["blue"]);
  });

  it("but not with another caller's key of the same name", async () => {
    const feature = await addFeature(burgee, { environments });
    const key = await burgee.keyWith({ permission: "ADMIN" });
    await burgee.patch(feature, adding("red"), withKey("one"));

    const answer = await burgee.patch(feature, adding("amber"), { ...withKey("one"), key });

    expect(answer.status).toBe(200);
    expect(await burgee.names(feature, "production")).toEqual(["amber", "blue", "red"]);
  });
});

describe("with If-Match, the retry of a request that stopped after its first environment", () => {
  async function stopAfterDevelopment(feature: string, ifMatch = true) {
    const headers = { "idempotency-key": "one", ...(ifMatch && { "if-match": await burgee.etag(feature) }) };
    burgee.wire.decideWrites((count) => (count > 1 ? { error: "ResourceNotFoundException" } : "pass"));
    const stopped = await burgee.patch(feature, adding("red"), { headers });
    burgee.wire.reset();
    expect(stopped.json.details).toMatchObject([{ outcome: "patched" }, { outcome: "failed" }]);
    return headers;
  }

  it("is compared with the state before its own writes, and finishes the request once", async () => {
    const feature = await addFeature(burgee, { environments });
    const headers = await stopAfterDevelopment(feature);

    const finished = await burgee.patch(feature, adding("red"), { headers });
    const again = await burgee.patch(feature, adding("red"), { headers });

    expect([finished, again]).toEqual(times(2, () => patchedTo(expect.any(Array), both)));
    expect(await burgee.names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("may have the ETag of the state after them instead", async () => {
    const feature = await addFeature(burgee, { environments });
    await stopAfterDevelopment(feature, false);
    const headers = { "idempotency-key": "one", "if-match": await burgee.etag(feature) };

    expect((await burgee.patch(feature, adding("red"), { headers })).status).toBe(200);
  });

  it("finishes the request also after another request's change of an environment that it has patched", async () => {
    const feature = await addFeature(burgee, { environments });
    const headers = await stopAfterDevelopment(feature);
    await burgee.patch(feature, adding("amber"), { environment: "development" });

    expect((await burgee.patch(feature, adding("red"), { headers })).status).toBe(200);
    expect(await burgee.names(feature)).toEqual(["amber", "blue", "red"]);
  });

  it("returns 412 with each outcome after another request's change of one that it has yet to patch", async () => {
    const feature = await addFeature(burgee, { environments });
    const headers = await stopAfterDevelopment(feature);
    await burgee.patch(feature, adding("amber"), { environment: "production" });

    const answer = await burgee.patch(feature, adding("red"), { headers });

    const details = [
      { environment: "development", outcome: "patched" },
      { environment: "production", outcome: "not attempted" },
    ];
    const etag = await burgee.etag(feature);
    const message = naming("earlier attempt", "patched some environments");
    expect(answer).toEqual(refused(412, "PreconditionFailed", { headers: { etag }, details, message }));
    expect(await burgee.names(feature, "production")).toEqual(["amber", "blue"]);
  });
});

it("two concurrent attempts of one request do not fail each other's precondition", async () => {
  const feature = await addFeature(burgee, { environments });
  const headers = { "if-match": await burgee.etag(feature), "idempotency-key": "one" };
  burgee.wire.decideWrites(async (count): Promise<Fate> => {
    if (count === 2) await burgee.patch(feature, adding("red"), { headers });
    return "pass";
  });

  const answer = await burgee.patch(feature, adding("red"), { headers });

  expect(answer).toEqual(patchedTo(expect.any(Array), both));
  expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
});

describe("an Idempotency-Key", () => {
  it.each([
    ["one character", "k"],
    ["in quotation marks", '"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
    ["255 characters", "x".repeat(255)],
  ])("may be %s", async (_, key) => {
    const feature = await addFeature(burgee, { environments });

    expect((await burgee.patch(feature, [], withKey(key))).status).toBe(200);
  });

  it.each([
    ["none", ""],
    ["two words", "two words"],
    ["256 characters", "x".repeat(256)],
    ["letters outside ASCII", "ümlaut"],
  ])("with %s returns 400", async (_, key) => {
    const feature = await addFeature(burgee, { environments });

    expect(await burgee.patch(feature, adding("red"), withKey(key))).toEqual(invalid());
    expect(await burgee.names(feature)).toEqual(["blue"]);
  });

  it("is ignored by the tag update, which is safe to retry as it is", async () => {
    const feature = await addFeature(burgee);

    const answer = await burgee.putTags(feature, { addedTags: [], removedTags: [] }, withKey("two words"));

    expect(answer.status).toBe(201);
  });
});
