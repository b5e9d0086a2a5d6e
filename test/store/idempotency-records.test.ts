/** An Idempotency-Key is remembered for 24 hours, however many writes follow, and costs nothing to requests without one. */
import { beforeAll, describe, expect, it } from "vitest";
import { idempotencyKey } from "../../lib/store/items.ts";
import { rememberWrite } from "../../lib/store/retry-list.ts";
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
async function fill(feature: string, count = 25, name = "other"): Promise<void> {
  for (let index = 0; index < count; index++)
    await burgee.patch(feature, stick(index), withKey(`${name}-${index}`));
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

it("a record of its own has a TTL of 49 hours", async () => {
  const feature = await addFeature(burgee, inDevelopment);
  await fill(feature, 21);

  const moved = burgee.wire.calls.filter((call) => isAt("IDEMPOTENCY#", call));

  expect(moved).toHaveLength(10);
  for (const { input } of moved) {
    const values = input.ExpressionAttributeValues as Record<string, { N: string }>;
    expect((Number(values[":ttl"]?.N) - Date.now() / 1000) / 3600).toBeCloseTo(49, 1);
  }
});

describe("a full list of records", () => {
  const hour = 3_600_000;
  const now = Date.now();
  const write = (revision: number, at = now) => ({
    id: `w${revision}`,
    revision,
    at: new Date(at).toISOString(),
  });
  const record = (revision: number, at = now) => ({
    ...write(revision, at),
    key: `k${revision}`,
    change: "c",
  });
  const revisions = (writes: readonly { revision: number }[]) => writes.map(({ revision }) => revision);

  it.each<[string, (index: number) => number, moving: number[], left: number[]]>([
    ["moves its older half", () => now, times(10, (at) => at), times(10, (at) => 10 + at)],
    [
      "drops what is older than 49 hours instead",
      (index) => now - hour * (index < 3 ? 49 : 48),
      [],
      times(17, (at) => 3 + at),
    ],
  ])("%s", (_, at, expected, left) => {
    const { writes, moving } = rememberWrite(
      times(20, (index) => record(index, at(index))),
      record(50),
    );

    expect(revisions(moving)).toEqual(expected);
    expect(revisions(writes)).toEqual([...left, 50]);
  });

  it("keeps the newest 20 writes without a key beside it", () => {
    const full = [...times(20, (index) => record(index)), ...times(20, (index) => write(20 + index))];

    const { writes, moving } = rememberWrite(full, write(40));

    expect(moving).toEqual([]);
    expect(revisions(writes)).toEqual([...times(20, (at) => at), ...times(20, (at) => 21 + at)]);
  });
});

it("a response has the variants of the earlier attempt, although its record moves while it is read", async () => {
  const feature = await addFeature(burgee, inDevelopment);
  await fill(feature);
  const send = () => burgee.patch(feature, adding("red"), withKey("one"));
  burgee.wire.beforeFirst(
    (call) => call.operation === "Query" && JSON.stringify(call.input).includes("IDEMPOTENCY#"),
    async () => {
      await send();
      await fill(feature, 21, "later");
    },
  );

  const { status, json, headers } = await send();

  expect(status).toBe(200);
  expect(json.variants.map(({ name }: { name: string }) => name)).toEqual(["blue", "red"]);
  expect(headers.etag).toBe(await burgee.etag(feature));
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
