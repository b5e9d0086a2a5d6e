/** An Idempotency-Key: retries, and other requests with it. How long it is remembered: ./long-history.test.ts */
import { beforeEach, describe, expect, it } from "vitest";
import { detailsOf, naming, patchedTo, refused } from "../../support/answers.ts";
import { type Place, useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const blue = variant("blue");
const environments = { development: [blue], production: [blue] };
const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
/** Applied twice it would be refused, or show. */
const adding = (name: string) => [add("/-", { name, weight: 1 })];
const both = "development=already patched, production=already patched";
const rest = "development=already patched, production=patched";

const burgee = useBurgee();

let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, { environments });
});

describe("a patch that is retried with its Idempotency-Key", () => {
  it("is not applied again, and returns the first response but for its outcomes", async () => {
    const first = await burgee.patchVariants(feature, adding("red"), withKey("one"));

    const again = await burgee.patchVariants(feature, adding("red"), withKey("one"));

    const { "burgee-hint": hint, ...headers } = first.headers;
    expect(hint).toContain("red");
    expect(again).toEqual({ ...first, headers: { ...headers, "burgee-environments": both } });
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
  });

  it("is finished where it stopped, once what stopped it is gone", async () => {
    await burgee.patchVariants(feature, adding("red"), { environment: "production" });
    const stopped = await burgee.patchVariants(feature, adding("red"), withKey("one"));
    await burgee.patchVariants(feature, [{ op: "remove", path: "/1" }], { environment: "production" });

    const finished = await burgee.patchVariants(feature, adding("red"), withKey("one"));

    expect(stopped.json.details).toMatchObject([{ outcome: "patched" }, { outcome: "failed" }]);
    expect(finished).toEqual(
      patchedTo([variant("blue", { weight: 500 }), variant("red", { weight: 500 })], {
        outcomes: rest,
        hint: "production",
      }),
    );
    expect(await burgee.names(feature, "production")).toEqual(["blue", "red"]);
    expect(finished.headers["burgee-change"]).toBe(stopped.headers["burgee-change"]);
    const [development, production] = await Promise.all(
      Object.keys(environments).map((name) => burgee.storedEnvironment(feature, name)),
    );
    expect(production?.carriedNewest?.at).toBe(development?.carriedNewest?.at);
  });

  it("reports what it patched after the environment that it fails in", async () => {
    const toUserId = [{ op: "replace", path: "/0/stickiness", value: "userId" }];
    await burgee.patchVariants(feature, toUserId, { environment: "development" });
    await burgee.patchVariants(feature, toUserId, withKey("one"));
    await burgee.patchVariants(feature, [{ op: "remove", path: "/0" }], { environment: "development" });

    const { json } = await burgee.patchVariants(feature, toUserId, withKey("one"));

    expect(json.details).toMatchObject([
      { environment: "development", outcome: "failed" },
      { environment: "production", outcome: "already patched" },
    ]);
  });

  it("names its change in a 403 too, if the key was rotated to one that may do less", async () => {
    const permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";
    const inEach = ["development", "production"].map((environment) => {
      return { permission, project: "default", environment };
    });
    const everywhere = { permission: "UPDATE_FEATURE_VARIANTS", project: "default" };
    const withPermissions = async (key: string, ...permissions: object[]) => {
      await burgee.store({ apiKeys: [{ name: "deployer", key, permissions: [everywhere, ...permissions] }] });
      return { key, ...withKey("one") };
    };
    const first = await burgee.patchVariants(
      feature,
      adding("red"),
      await withPermissions("burgee-test-key-of-before", ...inEach),
    );

    const again = await burgee.patchVariants(
      feature,
      adding("red"),
      await withPermissions("burgee-test-key-of-now", ...inEach.slice(0, 1)),
    );

    expect([first.status, again.status]).toEqual([200, 403]);
    expect(again.headers["burgee-change"]).toBe(first.headers["burgee-change"]);
  });

  it("in a dry run shows that nothing is left to do", async () => {
    await burgee.patchVariants(feature, adding("red"), withKey("one"));

    const { json } = await burgee.patchVariants(feature, adding("red"), { ...withKey("one"), dryRun: true });

    const nothing = { outcome: "already patched", difference: [] };
    expect(json.environments).toMatchObject([nothing, nothing]);
  });
});

describe("a retry of a switch that has left an environment unchanged", () => {
  /** Switches both off, and one on again. Returns a retry of the first. */
  async function switchOffThenOneOn(ifMatch?: string) {
    const headers = { "idempotency-key": "incident-7", ...(ifMatch && { "if-match": ifMatch }) };
    const first = await burgee.switch(feature, "off", { headers });
    expect(first.headers["burgee-environments"]).toBe("development=unchanged, production=patched");
    await burgee.switch(feature, "on", { environment: "development" });
    return () => burgee.switch(feature, "off", { headers });
  }

  beforeEach(async () => {
    await burgee.switch(feature, "on", { environment: "production" });
  });

  it("changes it if another request has changed it since", async () => {
    const retry = await switchOffThenOneOn();

    const { headers } = await retry();

    expect(headers["burgee-environments"]).toBe("development=patched, production=already patched");
  });

  it("is refused then with If-Match", async () => {
    const { headers } = await burgee.getFeature(feature);
    const retry = await switchOffThenOneOn(headers.etag);

    expect(await retry()).toMatchObject({ status: 412 });

    expect((await burgee.storedEnvironment(feature, "development")).enabled).toBe(true);
  });
});

describe("an Idempotency-Key that is reused with another request returns 409 and writes nothing:", () => {
  it.each([
    ["another body", adding("amber"), {}],
    ["the variants by name", adding("red"), { query: "by=name" }],
  ])("%s", async (_, patch, place: Place) => {
    await burgee.patchVariants(feature, adding("red"), withKey("one"));

    const answer = await burgee.patchVariants(feature, patch, { ...place, ...withKey("one") });

    const message = naming("Idempotency-Key", "different method, path, `by` or body");
    expect(answer).toEqual(refused(409, "ConflictError", { code: "key-used", message }));
    for (const environment of Object.keys(environments)) {
      expect(await burgee.names(feature, environment)).toEqual(["blue", "red"]);
      expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({ revision: 2 });
    }
  });

  it("an undo, although its change was made in another environment", async () => {
    await burgee.patchVariants(feature, adding("red"), withKey("one"));
    const { headers } = await burgee.patchVariants(feature, adding("green"), { environment: "production" });

    const answer = await burgee.undo(feature, headers["burgee-change"] ?? "", withKey("one"));

    expect(answer).toEqual(refused(409, "ConflictError", { code: "key-used" }));
  });

  it("but not with another caller's key of the same name", async () => {
    const key = await burgee.keyWith({ permission: "ADMIN" });
    await burgee.patchVariants(feature, adding("red"), withKey("one"));

    const answer = await burgee.patchVariants(feature, adding("amber"), { ...withKey("one"), key });

    expect(answer.status).toBe(200);
    expect(await burgee.names(feature, "production")).toEqual(["amber", "blue", "red"]);
  });

  it("nor for another feature, where it makes another change", async () => {
    const other = await addFeature(burgee, { environments });
    const first = await burgee.patchVariants(feature, adding("red"), withKey("one"));

    const answer = await burgee.patchVariants(other, adding("red"), withKey("one"));

    expect(answer.status).toBe(200);
    expect(answer.headers["burgee-change"]).not.toBe(first.headers["burgee-change"]);
  });
});

describe("an Idempotency-Key at the path of one environment, of another one, or of all is that of another request", () => {
  const places: Place[] = [{}, { environment: "production" }, { environment: "development" }];

  it("whose change has another id, and is undone alone", async () => {
    const sent = ["red", "green", "grey"].map((name, index) => ({ name, place: places[index] }));
    const ids: string[] = [];
    for (const { name, place } of sent) {
      const { status, headers } = await burgee.patchVariants(feature, adding(name), {
        ...place,
        ...withKey("one"),
      });
      expect(status).toBe(200);
      ids.push(headers["burgee-change"] ?? "");
    }
    const { changes } = (await burgee.getChanges(feature)).json;
    await burgee.undo(feature, ids[1] ?? "");

    expect(new Set(ids).size).toBe(3);
    expect(changes.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
    expect(await burgee.names(feature, "production")).toEqual(["blue", "red"]);
    expect(await burgee.names(feature)).toEqual(["blue", "grey", "red"]);
  });
});

describe("with If-Match, the retry of a request that stopped after its first environment", () => {
  async function stopAfterDevelopment() {
    const headers = { "idempotency-key": "one", "if-match": await burgee.etag(feature) };
    burgee.wire.decideWrites((count) => (count > 1 ? { error: "ResourceNotFoundException" } : "pass"));
    const stopped = await burgee.patchVariants(feature, adding("red"), { headers });
    burgee.wire.reset();
    expect(stopped.json.details).toMatchObject([{ outcome: "patched" }, { outcome: "failed" }]);
    return headers;
  }

  it("is compared with the state before its own writes or after them, and finishes the request once", async () => {
    const headers = await stopAfterDevelopment();

    const finished = await burgee.patchVariants(feature, adding("red"), { headers });
    const again = await burgee.patchVariants(feature, adding("red"), { headers });
    const afterThem = { ...headers, "if-match": await burgee.etag(feature) };
    const withTheirEtag = await burgee.patchVariants(feature, adding("red"), { headers: afterThem });

    const answers = [finished, again, withTheirEtag];
    const [first, ...others] = answers;
    expect(first).toEqual(patchedTo(expect.any(Array), { outcomes: rest, hint: "production" }));
    expect(others).toEqual(others.map(() => patchedTo(expect.any(Array), { outcomes: both })));
    expect(await burgee.names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("finishes the request also after another request's change of an environment that it has patched", async () => {
    const headers = await stopAfterDevelopment();
    await burgee.patchVariants(feature, adding("amber"), { environment: "development" });

    expect((await burgee.patchVariants(feature, adding("red"), { headers })).status).toBe(200);
    expect(await burgee.names(feature)).toEqual(["amber", "blue", "red"]);
  });

  it("finishes it, where the retry overtakes the first attempt, which then goes on", async () => {
    const headers = { "idempotency-key": "one", "if-match": await burgee.etag(feature) };
    burgee.wire.decideWrites(async (count) => {
      if (count === 1) await burgee.patchVariants(feature, adding("red"), { headers });
      return count === 3 ? { error: "ResourceNotFoundException" } : "pass";
    });

    const { status } = await burgee.patchVariants(feature, adding("red"), { headers });

    expect(status).toBe(200);
    expect(await burgee.names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("returns 412 with each outcome after another request's change of one that it has yet to patch", async () => {
    const headers = await stopAfterDevelopment();
    await burgee.patchVariants(feature, adding("amber"), { environment: "production" });

    const answer = await burgee.patchVariants(feature, adding("red"), { headers });

    const details = detailsOf({ development: "already patched", production: "not attempted" });
    const etag = await burgee.etag(feature);
    expect(answer).toEqual(refused(412, "PreconditionFailed", { headers: { etag }, details }));
    expect(await burgee.names(feature, "production")).toEqual(["amber", "blue"]);
  });
});

it("two attempts at once leave one time and one guard in all environments, whatever each of them sends", async () => {
  const guardedBy = (name: string) => {
    const headers = { "idempotency-key": "one", "burgee-guard": name };
    return burgee.patchVariants(feature, adding("red"), { headers });
  };
  burgee.wire.decideWrites(async (count) => {
    // Theirs writes development, and stops at production.
    if (count === 1) expect(await guardedBy("theirs")).toMatchObject({ status: 500 });
    return count === 3 ? { error: "ResourceNotFoundException" } : "pass";
  });

  expect(await guardedBy("ours")).toMatchObject({ status: 200 });

  const [development, production] = await Promise.all(
    Object.keys(environments).map((name) => burgee.storedEnvironment(feature, name)),
  );
  const shared = ({ at, guard }: { at?: string; guard?: unknown } = {}) => ({ at, guard });
  expect(shared(development?.carriedNewest)).toMatchObject({ guard: { name: "theirs" } });
  expect(shared(production?.carriedNewest)).toEqual(shared(development?.carriedNewest));
});

it.each([
  ["one character", 200, "k"],
  ["quotation marks", 200, '"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
  ["255 characters", 200, "x".repeat(255)],
  ["no character", 400, ""],
  ["two words", 400, "two words"],
  ["256 characters", 400, "x".repeat(256)],
  ["letters outside ASCII", 400, "ümlaut"],
])("an Idempotency-Key of %s returns %i", async (_, status, key) => {
  expect((await burgee.patchVariants(feature, [], withKey(key))).status).toBe(status);
});

it("is refused after a conflict with a request that had the same key and was undone, and its change named", async () => {
  burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    async () => {
      const { headers } = await burgee.patchVariants(feature, adding("red"), withKey("same"));
      await burgee.undo(feature, headers["burgee-change"] ?? "");
    },
  );

  const { status, json, headers } = await burgee.patchVariants(feature, adding("red"), withKey("same"));

  expect([status, json.code]).toEqual([409, "undone"]);
  expect(json.message).toContain(`by the change ${json.undoneBy};`);
  expect(headers).toHaveProperty("burgee-change");
});
