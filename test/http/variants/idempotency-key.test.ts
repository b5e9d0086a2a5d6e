import { describe, expect, it } from "vitest";
import { invalid, patchedTo, refused } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const blue = variant("blue");
const environments = { development: [blue], production: [blue] };
const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
/** Applied twice it would be refused, or show. */
const adding = (name: string) => [add("/-", { name, weight: 1 })];
const both = "development=patched, production=patched";

const burgee = useBurgee();

async function names(feature: string, environment: string): Promise<string[]> {
  return (await burgee.storedEnvironment(feature, environment)).variants.map(({ name }) => name);
}

describe("a patch that is retried with its Idempotency-Key", () => {
  it("is not applied again, and answered as the first time", async () => {
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
    expect(await names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("shows what others made of it since", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), withKey("one"));
    await burgee.patch(feature, adding("amber"));

    const { json } = await burgee.patch(feature, adding("red"), withKey("one"));

    expect(json.variants.map(({ name }: { name: string }) => name)).toEqual(["amber", "blue", "red"]);
  });

  it("to one environment is not applied there again", async () => {
    const feature = await addFeature(burgee, { environments });
    const options = { ...withKey("one"), environment: "production" };
    await burgee.patch(feature, adding("red"), options);

    const again = await burgee.patch(feature, adding("red"), options);

    expect(again.status).toBe(200);
    expect(await names(feature, "production")).toEqual(["blue", "red"]);
    expect(await names(feature, "development")).toEqual(["blue"]);
  });

  it("at the same time is applied once", async () => {
    const feature = await addFeature(burgee, { environments });

    const answers = await Promise.all(times(5, () => burgee.patch(feature, adding("red"), withKey("one"))));

    expect(answers.map(({ status }) => status)).toEqual(times(5, () => 200));
    for (const environment of Object.keys(environments)) {
      expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({ revision: 2 });
    }
  });

  it("is recognised after any number of others, with keys and without", async () => {
    const feature = await addFeature(burgee, { environments: { development: [blue] } });
    const once = () => burgee.patch(feature, adding("red"), withKey("one"));
    const stick = (at: number, options = {}) =>
      burgee.patch(feature, [add("/0/stickiness", `s${at}`)], options);
    await once();
    for (let at = 0; at < 41; at++) await stick(at, withKey(`other-${at}`));
    for (let at = 100; at < 125; at++) await stick(at);

    const again = await once();
    const reused = await burgee.patch(feature, adding("amber"), withKey("one"));

    expect(again.status).toBe(200);
    expect(reused).toEqual(refused(409, "ConflictError"));
    expect(await burgee.storedEnvironment(feature, "development")).toMatchObject({ revision: 68 });
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

describe("the same Idempotency-Key with another request is refused with 409, and nothing is written:", () => {
  it.each([
    ["another body", adding("amber"), {}],
    ["the path of one environment", adding("red"), { environment: "production" }],
    ["the variants by name", [add("/red", { weight: 1 })], { by: "name" }],
  ])("%s", async (_, patch, { by, ...place }: { by?: string; environment?: string }) => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), withKey("one"));
    const path = `/api/admin/projects/default/features/${feature}/variants?by=${by}`;

    const answer = await burgee.patch(feature, patch, { ...place, ...withKey("one"), ...(by && { path }) });

    expect(answer).toEqual(refused(409, "ConflictError"));
    for (const environment of Object.keys(environments)) {
      expect(await names(feature, environment)).toEqual(["blue", "red"]);
      expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({ revision: 2 });
    }
  });

  it("where only the last environment has the key, the first is not touched either", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), { ...withKey("one"), environment: "production" });

    const answer = await burgee.patch(feature, adding("red"), withKey("one"));

    expect(answer).toEqual(refused(409, "ConflictError"));
    expect(await names(feature, "development")).toEqual(["blue"]);
  });

  it("but a body that is the same but for its white space is the same", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), withKey("one"));

    const body = JSON.stringify(adding("red"), null, 2);
    const answer = await burgee.patch(feature, undefined, { body, ...withKey("one") });

    expect(answer.status).toBe(200);
  });

  it("and another caller's key of the same name is another", async () => {
    const feature = await addFeature(burgee, { environments });
    const key = await burgee.keyWith({ permission: "ADMIN" });
    await burgee.patch(feature, adding("red"), withKey("one"));

    const answer = await burgee.patch(feature, adding("amber"), { ...withKey("one"), key });

    expect(answer.status).toBe(200);
    expect(await names(feature, "production")).toEqual(["amber", "blue", "red"]);
  });
});

describe("with If-Match, the retry of a request that stopped after its first environment", () => {
  /** The database fails at the second write. */
  async function stopAfterDevelopment(feature: string, headers: Record<string, string>): Promise<void> {
    let writes = 0;
    burgee.wire.decide(({ operation }) =>
      operation === "UpdateItem" && ++writes > 1 ? { error: "ResourceNotFoundException" } : "pass",
    );
    const stopped = await burgee.patch(feature, adding("red"), { headers });
    burgee.wire.reset();
    expect(stopped.json.details).toMatchObject([{ outcome: "patched" }, { outcome: "failed" }]);
  }

  const etagOf = async (feature: string) => (await burgee.getVariants(feature)).headers.etag ?? "";

  it("is compared with the state before its own writes, and so can be finished", async () => {
    const feature = await addFeature(burgee, { environments });
    const headers = { "idempotency-key": "one", "if-match": await etagOf(feature) };
    await stopAfterDevelopment(feature, headers);

    const finished = await burgee.patch(feature, adding("red"), { headers });

    expect(finished).toEqual(patchedTo(expect.any(Array), both));
    expect(await names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("may have the ETag of the state after them instead", async () => {
    const feature = await addFeature(burgee, { environments });
    await stopAfterDevelopment(feature, { "idempotency-key": "one" });

    const answer = await burgee.patch(feature, adding("red"), {
      headers: { "idempotency-key": "one", "if-match": await etagOf(feature) },
    });

    expect(answer.status).toBe(200);
  });

  it("is refused with 412 and each outcome where an environment that it has yet to patch has changed", async () => {
    const feature = await addFeature(burgee, { environments });
    const headers = { "idempotency-key": "one", "if-match": await etagOf(feature) };
    await stopAfterDevelopment(feature, headers);
    await burgee.patch(feature, adding("amber"), { environment: "production" });

    const answer = await burgee.patch(feature, adding("red"), { headers });

    const details = [
      { environment: "development", outcome: "patched" },
      { environment: "production", outcome: "not attempted" },
    ];
    const etag = await etagOf(feature);
    expect(answer).toEqual(refused(412, "PreconditionFailed", { headers: { etag }, details }));
    expect(await names(feature, "production")).toEqual(["amber", "blue"]);
  });
});

describe("an Idempotency-Key", () => {
  it.each([
    ["one character", "k"],
    ["signs", "~!#$%&'()*+"],
    ["in quotation marks", '"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
    ["255 characters", "x".repeat(255)],
  ])("may be %s", async (_, key) => {
    const feature = await addFeature(burgee, { environments });

    expect((await burgee.patch(feature, [], withKey(key))).status).toBe(200);
  });

  it.each([
    ["none", ""],
    ["only a space", " "],
    ["two words", "two words"],
    ["256 characters", "x".repeat(256)],
    ["other letters than ASCII's", "ümlaut"],
    ["a tab at its end", "tab\t"],
  ])("with %s is refused with 400", async (_, key) => {
    const feature = await addFeature(burgee, { environments });

    expect(await burgee.patch(feature, adding("red"), withKey(key))).toEqual(invalid());
    expect(await names(feature, "development")).toEqual(["blue"]);
  });

  it("is ignored by the tag update, which is safe to retry as it is", async () => {
    const feature = await addFeature(burgee);

    const answer = await burgee.putTags(feature, { addedTags: [], removedTags: [] }, withKey("two words"));

    expect(answer.status).toBe(201);
  });
});
