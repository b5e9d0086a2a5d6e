/** An Idempotency-Key is remembered for at least 24 hours, however many writes follow. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import type { Change } from "../../lib/features/feature.ts";
import { fromStored, toStored } from "../../lib/store/change-list.ts";
import { environmentKey } from "../../lib/store/items.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, replace, times } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";

const burgee = useBurgee();

const environments = { development: [variant("blue")], production: [variant("blue")] };
const inProduction = { environment: "production" };
const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
const adding = (name: string) => [add("/-", { name, weight: 1 })];
const stick = (index: number) => [add("/0/stickiness", `s${index}`)];

/** Replaces the list of changes of an environment, and the time of what it has dropped. */
async function setChanges(
  feature: string,
  environment: string,
  changes: readonly Change[],
  droppedUntil?: string,
): Promise<void> {
  const dropped = droppedUntil === undefined ? "" : ", droppedUntil = :droppedUntil";
  const update = new UpdateCommand({
    TableName: burgee.session.table,
    Key: environmentKey(feature, environment),
    UpdateExpression: `SET changes = :changes${dropped}`,
    ExpressionAttributeValues: {
      ":changes": changes.map(toStored),
      ...(dropped && { ":droppedUntil": droppedUntil }),
    },
  });
  await burgee.session.send(update);
  burgee.wire.reset();
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

async function changesOf(feature: string, environment: string): Promise<Change[]> {
  const { changes = [] } = await burgee.storedEnvironment(feature, environment);
  return changes.map(fromStored);
}

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

    expect([status, json.message]).toEqual([
      409,
      'It is not known whether this request has changed environment "production": its first attempt is more than 25 hours old; read the variants, and send a new request',
    ]);
    expect(headers).toHaveProperty("burgee-change");
    expect(burgee.writes()).toEqual([]);
  });

  it("but goes on within them, whatever the environment has dropped", async () => {
    const feature = await addHalf(24);
    const changes = await changesOf(feature, "production");
    await setChanges(feature, "production", changes, hoursAgo(1));

    expect((await burgee.patch(feature, sticky, withKey("half"))).status).toBe(200);
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
        `Environment "production" remembers ${what} with an Idempotency-Key, the most of 25 hours; nothing was written: wait, or send the request without an Idempotency-Key`,
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
