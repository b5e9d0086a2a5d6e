/** An Idempotency-Key: retries, other requests with it, how long and how many are remembered. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Change } from "../../../lib/features/feature.ts";
import { fromStoredChange, toStoredChange } from "../../../lib/store/items.ts";
import { naming, patchedTo, refused } from "../../support/answers.ts";
import { type Place, useBurgee } from "../../support/burgee.ts";
import { add, replace, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const blue = variant("blue");
const environments = { development: [blue], production: [blue] };
const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
/** Applied twice it would be refused, or show. */
const adding = (name: string) => [add("/-", { name, weight: 1 })];
const both = "development=patched, production=patched";

const burgee = useBurgee();

let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, { environments });
});

describe("a patch that is retried with its Idempotency-Key", () => {
  it("is not applied again, and returns the first response", async () => {
    const first = await burgee.patch(feature, adding("red"), withKey("one"));

    const again = await burgee.patch(feature, adding("red"), withKey("one"));

    const { "burgee-hint": hint, ...headers } = first.headers;
    expect(hint).toContain("red");
    expect(again).toEqual({ ...first, headers });
    expect(again.headers["burgee-environments"]).toBe(both);
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
  });

  it("is finished where it stopped, once what stopped it is gone", async () => {
    await burgee.patch(feature, adding("red"), { environment: "production" });
    const stopped = await burgee.patch(feature, adding("red"), withKey("one"));
    await burgee.patch(feature, [{ op: "remove", path: "/1" }], { environment: "production" });

    const finished = await burgee.patch(feature, adding("red"), withKey("one"));

    expect(stopped.json.details).toMatchObject([{ outcome: "patched" }, { outcome: "failed" }]);
    expect(finished).toEqual(
      patchedTo([variant("blue", { weight: 500 }), variant("red", { weight: 500 })], {
        outcomes: both,
        hint: "production",
      }),
    );
    expect(await burgee.names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("reports what it patched after the environment that it fails in", async () => {
    const toUserId = [{ op: "replace", path: "/0/stickiness", value: "userId" }];
    await burgee.patch(feature, toUserId, { environment: "development" });
    await burgee.patch(feature, toUserId, withKey("one"));
    await burgee.patch(feature, [{ op: "remove", path: "/0" }], { environment: "development" });

    const { json } = await burgee.patch(feature, toUserId, withKey("one"));

    expect(json.details).toMatchObject([
      { environment: "development", outcome: "failed" },
      { environment: "production", outcome: "patched" },
    ]);
  });

  it("in a dry run shows that nothing is left to do", async () => {
    await burgee.patch(feature, adding("red"), withKey("one"));

    const { json } = await burgee.patch(feature, adding("red"), { ...withKey("one"), dryRun: true });

    const nothing = { outcome: "patched", changes: [] };
    expect(json.environments).toMatchObject([nothing, nothing]);
  });
});

describe("an Idempotency-Key that is reused with another request returns 409 and writes nothing:", () => {
  it.each([
    ["another body", adding("amber"), {}],
    ["the path of one environment", adding("red"), { environment: "production" }],
    ["the variants by name", adding("red"), { query: "by=name" }],
  ])("%s", async (_, patch, place: Place) => {
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
    await burgee.patch(feature, adding("red"), { ...withKey("one"), environment: "production" });

    const answer = await burgee.patch(feature, adding("red"), withKey("one"));

    expect(answer).toEqual(refused(409, "ConflictError"));
    expect(await burgee.names(feature)).toEqual(["blue"]);
  });

  it("but not with another caller's key of the same name", async () => {
    const key = await burgee.keyWith({ permission: "ADMIN" });
    await burgee.patch(feature, adding("red"), withKey("one"));

    const answer = await burgee.patch(feature, adding("amber"), { ...withKey("one"), key });

    expect(answer.status).toBe(200);
    expect(await burgee.names(feature, "production")).toEqual(["amber", "blue", "red"]);
  });
});

describe("with If-Match, the retry of a request that stopped after its first environment", () => {
  async function stopAfterDevelopment() {
    const headers = { "idempotency-key": "one", "if-match": await burgee.etag(feature) };
    burgee.wire.decideWrites((count) => (count > 1 ? { error: "ResourceNotFoundException" } : "pass"));
    const stopped = await burgee.patch(feature, adding("red"), { headers });
    burgee.wire.reset();
    expect(stopped.json.details).toMatchObject([{ outcome: "patched" }, { outcome: "failed" }]);
    return headers;
  }

  it("is compared with the state before its own writes or after them, and finishes the request once", async () => {
    const headers = await stopAfterDevelopment();

    const finished = await burgee.patch(feature, adding("red"), { headers });
    const again = await burgee.patch(feature, adding("red"), { headers });
    const afterThem = { ...headers, "if-match": await burgee.etag(feature) };
    const withTheirEtag = await burgee.patch(feature, adding("red"), { headers: afterThem });

    const answers = [finished, again, withTheirEtag];
    const [first, ...others] = answers;
    expect(first).toEqual(patchedTo(expect.any(Array), { outcomes: both, hint: "production" }));
    expect(others).toEqual(others.map(() => patchedTo(expect.any(Array), { outcomes: both })));
    expect(await burgee.names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("finishes the request also after another request's change of an environment that it has patched", async () => {
    const headers = await stopAfterDevelopment();
    await burgee.patch(feature, adding("amber"), { environment: "development" });

    expect((await burgee.patch(feature, adding("red"), { headers })).status).toBe(200);
    expect(await burgee.names(feature)).toEqual(["amber", "blue", "red"]);
  });

  it("returns 412 with each outcome after another request's change of one that it has yet to patch", async () => {
    const headers = await stopAfterDevelopment();
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

it.each([
  ["one character", 200, "k"],
  ["quotation marks", 200, '"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
  ["255 characters", 200, "x".repeat(255)],
  ["no character", 400, ""],
  ["two words", 400, "two words"],
  ["256 characters", 400, "x".repeat(256)],
  ["letters outside ASCII", 400, "ümlaut"],
])("an Idempotency-Key of %s returns %i", async (_, status, key) => {
  expect((await burgee.patch(feature, [], withKey(key))).status).toBe(status);
});

const inProduction = { environment: "production" };
const stick = (index: number) => [add("/0/stickiness", `s${index}`)];

/** Replaces the list of changes of an environment, and the time of what it has dropped. */
async function setChanges(
  feature: string,
  environment: string,
  changes: readonly Change[],
  droppedUntil?: string,
): Promise<void> {
  const item = await burgee.storedEnvironment(feature, environment);
  await burgee.put({ ...item, changes: changes.map(toStoredChange), ...(droppedUntil && { droppedUntil }) });
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

async function changesOf(feature: string, environment: string): Promise<Change[]> {
  const { changes = [] } = await burgee.storedEnvironment(feature, environment);
  return changes.map(fromStoredChange);
}

it("a request that is sent anew after its change was dropped makes a change that an older undo has not undone", async () => {
  const { headers } = await burgee.patch(feature, adding("red"), withKey("one"));
  const change = headers["burgee-change"] ?? "";
  await burgee.undo(feature, change);
  for (const environment of Object.keys(environments)) {
    const [undo] = await changesOf(feature, environment);
    if (undo) await setChanges(feature, environment, [undo], hoursAgo(0));
  }

  const statuses = times(2, () => burgee.patch(feature, adding("red"), withKey("one")));
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await burgee.names(feature)).toEqual(["blue", "red"]);

  expect((await burgee.undo(feature, change)).headers).toMatchObject({ "burgee-environments": both });
  expect(await burgee.names(feature)).toEqual(["blue"]);
});

describe("a half patch whose first attempt is more than 25 hours old", () => {
  const sticky = [replace("/0/stickiness", "userId"), add("/0/overrides", [])];

  /** Patches development, fails in production, which has no variant; and makes that so many hours ago. */
  async function addHalf(hours: number): Promise<string> {
    const feature = await addFeature(burgee, { environments: { ...environments, production: [] } });
    expect((await burgee.patch(feature, sticky, withKey("half"))).status).toBe(400);
    const [change] = await changesOf(feature, "development");
    if (change) await setChanges(feature, "development", [{ ...change, at: hoursAgo(hours) }]);
    await burgee.patch(feature, adding("blue"), inProduction);
    return feature;
  }

  it("is finished by a retry, whose own retry changes nothing", async () => {
    const feature = await addHalf(50);
    const growing = [add("/0/overrides", [])];

    expect((await burgee.patch(feature, sticky, withKey("half"))).status).toBe(200);
    await burgee.patch(feature, growing, inProduction);
    for (let index = 0; index < 12; index++) await burgee.patch(feature, stick(index), inProduction);
    const { revision } = await burgee.storedEnvironment(feature, "production");
    expect((await burgee.patch(feature, sticky, withKey("half"))).status).toBe(200);

    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision });
    const [development] = await changesOf(feature, "development");
    const written = (await changesOf(feature, "production")).find(({ id }) => id === development?.id);
    expect(written).toMatchObject({ at: development?.at, retriedAt: expect.any(String) });
  });

  it("is refused where an environment may have forgotten it, and nothing is written", async () => {
    const feature = await addHalf(50);
    const changes = await changesOf(feature, "production");
    await setChanges(feature, "production", changes, hoursAgo(49));

    const { status, json, headers } = await burgee.patch(feature, sticky, withKey("half"));

    expect([status, json.message, json.details]).toEqual([
      409,
      'It is not known whether this request has changed environment "production": its first attempt is more than 25 hours old; read the variants, and send a new request',
      [
        { environment: "development", outcome: "patched" },
        { environment: "production", outcome: "not attempted" },
      ],
    ]);
    expect(headers).toHaveProperty("burgee-change");
    expect(burgee.writes()).toEqual([]);
  });

  const second = 1 / 3600;

  it.each([
    ["goes on until 15 seconds before", 25 - 20 * second, 200],
    ["is refused from then on, as attempts may have overlapped", 25 - 10 * second, 409],
  ])("%s, where the environment has dropped any", async (_, hours, expected) => {
    const feature = await addHalf(hours);
    const changes = await changesOf(feature, "production");
    await setChanges(feature, "production", changes, hoursAgo(1));

    expect((await burgee.patch(feature, sticky, withKey("half"))).status).toBe(expected);
  });
});

describe("after a conflict with a request that had the same key", () => {
  it.each([
    ["and another body, the patch is refused", "amber", false, "different body"],
    ["and was undone, the patch is refused, and its change named", "red", true, "This request was undone"],
  ])("%s", async (_, name, isUndone, words) => {
    const feature = await addFeature(burgee, { environments });
    burgee.wire.beforeFirst(
      ({ operation }) => operation === "UpdateItem",
      async () => {
        const { headers } = await burgee.patch(feature, adding(name), withKey("same"));
        if (isUndone) await burgee.undo(feature, headers["burgee-change"] ?? "");
      },
    );

    const { status, json, headers } = await burgee.patch(feature, adding("red"), withKey("same"));

    expect([status, json.message]).toEqual([409, naming(words)]);
    expect("burgee-change" in headers).toBe(isUndone);
  });
});

it("a key is honoured for as long as its change is kept", async () => {
  const feature = await addFeature(burgee, { environments });
  await burgee.patch(feature, adding("red"), withKey("old"));
  for (const environment of Object.keys(environments)) {
    const changes = await changesOf(feature, environment);
    await setChanges(
      feature,
      environment,
      changes.map((change) => ({ ...change, at: hoursAgo(24 * 7) })),
    );
  }

  expect((await burgee.patch(feature, adding("red"), withKey("old"))).status).toBe(200);

  expect(burgee.writes()).toEqual([]);
});

describe.each([
  ["300 requests of this API key's name", 300, "admin"],
  ["1000 requests", 1000, "others"],
])("in an environment that remembers %s", (what, count, by) => {
  const full = (hours: number) =>
    times(count, (index): Change => {
      const id = String(index).padStart(11, "k");
      return { id, key: id, at: hoursAgo(hours), by, revision: count - index };
    });

  /** Adds a feature whose production remembers them. */
  async function addFull(hours = 1): Promise<string> {
    const feature = await addFeature(burgee, { environments });
    await setChanges(feature, "production", full(hours));
    return feature;
  }

  it.each([false, true])(
    "one more with a key is refused with 409, and writes nowhere: dryRun %s",
    async (dryRun) => {
      const feature = await addFull();

      const { status, json } = await burgee.patch(feature, adding("red"), { ...withKey("new"), dryRun });

      expect([status, json.message]).toEqual([
        409,
        `Environment "production" remembers ${what} with an Idempotency-Key, the maximum; each is kept for 25 hours. Nothing was written: wait, or send the request without an Idempotency-Key`,
      ]);
      expect(burgee.writes()).toEqual([]);
    },
  );

  it("one without a key is accepted, and all are kept", async () => {
    const feature = await addFull();

    expect((await burgee.patch(feature, adding("red"))).status).toBe(200);

    expect(await changesOf(feature, "production")).toHaveLength(count + 1);
  });

  it("a retry of one that another environment remembers goes on", async () => {
    const feature = await addFeature(burgee, { environments: { ...environments, production: [] } });
    await burgee.patch(feature, stick(1), withKey("half"));
    await burgee.patch(feature, adding("blue"), inProduction);
    await setChanges(feature, "production", full(1));

    expect((await burgee.patch(feature, stick(1), withKey("half"))).status).toBe(200);
  });

  it("one with a key is accepted 25 hours later, and the older are forgotten", async () => {
    const feature = await addFull(25);

    expect((await burgee.patch(feature, adding("red"), withKey("new"))).status).toBe(200);

    expect(await changesOf(feature, "production")).toHaveLength(10);
  });
});
