/** An Idempotency-Key is remembered for 24 hours, however many writes follow, and costs nothing to requests without one. */
import { beforeAll, describe, expect, it } from "vitest";
import { idempotencyKey } from "../../lib/store/items.ts";
import { type Memory, packRecord, rememberRecord, toMemory } from "../../lib/store/remembered-writes.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, remove, times } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";
import type { Call } from "../support/wire.ts";

const burgee = useBurgee();

const environments = { development: [variant("blue")], production: [variant("blue")] };
const inDevelopment = { environments: { development: [variant("blue")] } };
const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
const adding = (name: string) => [add("/-", { name, weight: 1 })];
const stick = (index: number) => [add("/0/stickiness", `s${index}`)];
const isAt = (key: string, { input }: Call) => JSON.stringify(input.Key ?? "").includes(key);
const operations = () => burgee.wire.calls.map(({ operation }) => operation);

/** So many keyed patches that the records before them have left the list of the item. */
async function fill(feature: string, count = 25): Promise<void> {
  for (let index = 0; index < count; index++)
    await burgee.patch(feature, stick(index), withKey(`other-${index}`));
}

describe("after 25 other patches with keys", () => {
  const inProduction = { environment: "production" };
  let feature: string;
  beforeAll(async () => {
    feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), withKey("one"));
    await burgee.patch(feature, adding("amber"), { ...inProduction, ...withKey("of-production") });
    await burgee.patch(feature, adding("grey"), inProduction);
    expect((await burgee.patch(feature, adding("grey"), withKey("stopped"))).status).toBe(400);
    await burgee.patch(feature, [remove("/2")], inProduction);
    await fill(feature);
  });

  it.each([
    ["is not applied again", "red", {}, "one"],
    ["in one environment is not applied again", "amber", inProduction, "of-production"],
    ["is finished in the environment that it had not reached", "grey", {}, "stopped"],
  ])("a retry %s", async (_, name, options, key) => {
    expect((await burgee.patch(feature, adding(name), { ...options, ...withKey(key) })).status).toBe(200);
    for (const environment of name === "amber" ? ["production"] : Object.keys(environments)) {
      expect((await burgee.names(feature, environment)).filter((one) => one === name)).toEqual([name]);
    }
  });

  it.each([
    ["without a key makes no other calls than before", stick(100), {}, []],
    ["with a key makes one read more for all environments", stick(101), withKey("two"), ["Query"]],
  ])("a patch %s", async (_, patch, options, more) => {
    await burgee.patch(feature, patch, options);

    expect(operations()).toEqual([...more, "Query", "UpdateItem", "UpdateItem"]);
  });
});

it("a retry is recognised when the record moves between its read and its write", async () => {
  const feature = await addFeature(burgee, inDevelopment);
  const send = () => burgee.patch(feature, adding("red"), withKey("one"));
  burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    async () => {
      await send();
      await fill(feature);
    },
  );

  expect((await send()).status).toBe(200);
  expect(await burgee.names(feature)).toEqual(["blue", "red"]);
});

it("a record has an item of its own before it leaves the list, also when the write that moves it fails", async () => {
  const feature = await addFeature(burgee, inDevelopment);
  await burgee.patch(feature, adding("red"), withKey("one"));
  await fill(feature, 19);
  const before = await burgee.storedEnvironment(feature, "development");
  burgee.wire.decideWrites((_, call) =>
    isAt("ENVIRONMENT#", call) ? { error: "ResourceNotFoundException" } : "pass",
  );
  await burgee.patch(feature, stick(99), withKey("the-one-that-moves"));
  burgee.wire.reset();

  expect(await burgee.storedEnvironment(feature, "development")).toEqual(before);
  expect((await burgee.patch(feature, adding("red"), withKey("one"))).status).toBe(200);
  expect(await burgee.names(feature)).toEqual(["blue", "red"]);
});

it("a record of its own has a TTL of 25 hours", async () => {
  const feature = await addFeature(burgee, inDevelopment);
  await fill(feature, 21);

  const moved = burgee.wire.calls.filter((call) => isAt("IDEMPOTENCY#", call));

  expect(moved).toHaveLength(10);
  for (const { input } of moved) {
    const values = input.ExpressionAttributeValues as Record<string, { N: string }>;
    expect((Number(values[":ttl"]?.N) - Date.now() / 1000) / 3600).toBeCloseTo(25, 1);
  }
});

describe("a full list of records", () => {
  const record = (index: number, writtenAt: number) => ({
    key: Buffer.alloc(8, index).toString("base64url"),
    request: Buffer.alloc(8, 100 + index).toString("base64url"),
    revision: index,
    writtenAt,
  });
  const memoryOf = (writtenAt: (index: number) => number): Memory => ({
    writes: new Uint8Array(),
    records: times(20, (index) => record(index, writtenAt(index))),
    movedAt: undefined,
    bornUid: undefined,
  });
  const now = Math.floor(Date.now() / 1000);
  const threeExpired = (index: number) => now - 3600 * (index < 3 ? 25 : 24);

  it.each<[string, (index: number) => number, moving: number[], left: number[]]>([
    ["moves its older half", () => now, times(10, (at) => at), times(10, (at) => 10 + at)],
    ["drops what is older than 25 hours instead", threeExpired, [], times(17, (at) => 3 + at)],
  ])("%s", (_, writtenAt, expected, left) => {
    const { records, moving } = rememberRecord(memoryOf(writtenAt), record(50, now), 50);

    const remembered = toMemory({ writes: [], idempotency: records }).records;
    expect(moving.map(({ revision }) => revision)).toEqual(expected);
    expect(remembered.map(({ revision }) => revision)).toEqual([...left, 50]);
  });

  it("takes 480 bytes", () => {
    expect(Buffer.concat(memoryOf(() => now).records.map(packRecord))).toHaveLength(480);
  });
});

it("records of another environment with the same key are no record of this one", async () => {
  const left = await addFeature(burgee, { environments });
  const right = await addFeature(burgee, { environments });
  await burgee.patch(left, adding("red"), withKey("shared"));
  await fill(left, 25);
  await fill(right, 25);

  expect((await burgee.patch(right, adding("red"), withKey("shared"))).status).toBe(200);
  expect(await burgee.names(right, "production")).toEqual(["blue", "red"]);
  expect(idempotencyKey("key", "uid")).toEqual({ pk: "IDEMPOTENCY#key", sk: "uid" });
});
