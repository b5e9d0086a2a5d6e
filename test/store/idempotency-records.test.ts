/** An Idempotency-Key is remembered for 24 hours, however many writes follow, and costs nothing to requests without one. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { type EnvironmentItem, environmentKey, idempotencyKey } from "../../lib/store/items.ts";
import { type Memory, packRecord, rememberRecord, toMemory } from "../../lib/store/remembered-writes.ts";
import { refused } from "../support/answers.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, times } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";
import type { Fate } from "../support/wire.ts";

const burgee = useBurgee();

const environments = { development: [variant("blue")], production: [variant("blue")] };
const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
const adding = (name: string) => [add("/-", { name, weight: 1 })];
const stick = (index: number) => [add("/0/stickiness", `s${index}`)];
const operations = () => burgee.wire.calls.map(({ operation }) => operation);

async function names(feature: string, environment: string): Promise<string[]> {
  return (await burgee.storedEnvironment(feature, environment)).variants.map(({ name }) => name);
}

/** So many keyed patches that the records before them have left the list of the item. */
async function fill(feature: string, count = 25, options = {}): Promise<void> {
  for (const index of times(count, (at) => at)) {
    await burgee.patch(feature, stick(index), { ...options, ...withKey(`other-${index}`) });
  }
}

describe("a patch that is retried after 25 other keyed patches", () => {
  it("is not applied again", async () => {
    const feature = await addFeature(burgee, { environments });
    const first = await burgee.patch(feature, adding("red"), withKey("one"));
    await fill(feature);

    const retried = await burgee.patch(feature, adding("red"), withKey("one"));

    expect([first.status, retried.status]).toEqual([200, 200]);
    expect(retried.headers["burgee-environments"]).toBe("development=patched, production=patched");
    expect(await names(feature, "development")).toEqual(["blue", "red"]);
    expect(await names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("is refused with 409 when its body is another", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), withKey("one"));
    await fill(feature);

    const answer = await burgee.patch(feature, adding("amber"), withKey("one"));

    expect(answer).toEqual(refused(409, "ConflictError"));
    expect(await names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("is finished in the environments that it had not reached", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), { environment: "production" });
    const stopped = await burgee.patch(feature, adding("red"), withKey("one"));
    await burgee.patch(feature, [{ op: "remove", path: "/1" }], { environment: "production" });
    await fill(feature);

    const finished = await burgee.patch(feature, adding("red"), withKey("one"));

    expect([stopped.status, finished.status]).toEqual([400, 200]);
    expect(await names(feature, "development")).toEqual(["blue", "red"]);
    expect(await names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("is not applied again in one environment either", async () => {
    const feature = await addFeature(burgee, { environments });
    const options = { environment: "production" };
    await burgee.patch(feature, adding("red"), { ...options, ...withKey("one") });
    await fill(feature, 25, options);

    const retried = await burgee.patch(feature, adding("red"), { ...options, ...withKey("one") });

    expect(retried.status).toBe(200);
    expect(await names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("is recognised when the record moves between its read and its write", async () => {
    const feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });
    let isFirst = true;
    burgee.wire.decide(async ({ operation }): Promise<Fate> => {
      if (operation !== "UpdateItem" || !isFirst) return "pass";
      isFirst = false;
      await burgee.patch(feature, adding("red"), withKey("one"));
      await fill(feature);
      return "pass";
    });

    const overtaken = await burgee.patch(feature, adding("red"), withKey("one"));

    expect(overtaken.status).toBe(200);
    expect(await names(feature, "development")).toEqual(["blue", "red"]);
  });
});

it("a record has an item of its own before it leaves the list, also when the write that moves it fails", async () => {
  const feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });
  await burgee.patch(feature, adding("red"), withKey("one"));
  await fill(feature, 19);
  const before = await burgee.storedEnvironment(feature, "development");
  burgee.wire.decide(({ operation, input }) =>
    operation === "UpdateItem" && JSON.stringify(input.Key).includes("ENVIRONMENT#")
      ? { error: "ResourceNotFoundException" }
      : "pass",
  );
  await burgee.patch(feature, stick(99), withKey("the-one-that-moves"));
  burgee.wire.reset();

  expect(await burgee.storedEnvironment(feature, "development")).toEqual(before);
  const retried = await burgee.patch(feature, adding("red"), withKey("one"));

  expect(retried.status).toBe(200);
  expect(await names(feature, "development")).toEqual(["blue", "red"]);
});

it("a record of its own has a TTL of 25 hours", async () => {
  const feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });
  await fill(feature, 21);
  const moved = burgee.wire.calls.filter(({ input }) =>
    JSON.stringify(input.Key ?? "").includes("IDEMPOTENCY#"),
  );

  const seconds = moved.map(({ input }) => {
    const values = input.ExpressionAttributeValues as Record<string, { N: string }>;
    return Number(values[":ttl"]?.N) - Date.now() / 1000;
  });
  expect(seconds).toHaveLength(10);
  for (const left of seconds) expect(left / 3600).toBeCloseTo(25, 1);
});

describe("the calls of a request", () => {
  it("without a key are what they were, also where records have moved", async () => {
    const feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });
    await fill(feature, 25);
    burgee.wire.reset();

    await burgee.patch(feature, stick(100));

    expect(operations()).toEqual(["Query", "UpdateItem"]);
  });

  it("with a key are the same while no record has moved", async () => {
    const feature = await addFeature(burgee, { environments });
    burgee.wire.reset();

    await burgee.patch(feature, stick(100), withKey("one"));

    expect(operations()).toEqual(["Query", "UpdateItem", "UpdateItem"]);
  });

  it("with a key are one more read for all environments once records have moved", async () => {
    const feature = await addFeature(burgee, { environments });
    await fill(feature, 25);
    burgee.wire.reset();

    await burgee.patch(feature, stick(100), withKey("one"));

    expect(operations()).toEqual(["Query", "Query", "UpdateItem", "UpdateItem"]);
  });
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
  });
  const now = Math.floor(Date.now() / 1000);
  const next = record(50, now);

  it("moves its older half", () => {
    const { records, moving } = rememberRecord(
      memoryOf(() => now),
      next,
      50,
    );

    expect(moving.map(({ revision }) => revision)).toEqual(times(10, (index) => index));
    expect(toMemory({ writes: [], idempotency: records }).records.map(({ revision }) => revision)).toEqual([
      ...times(10, (index) => 10 + index),
      50,
    ]);
  });

  it("drops what is older than 25 hours instead, where there is any", () => {
    const { records, moving } = rememberRecord(
      memoryOf((index) => (index < 3 ? now - 25 * 3600 : now - 24 * 3600)),
      next,
      50,
    );

    expect(moving).toEqual([]);
    expect(toMemory({ writes: [], idempotency: records }).records.map(({ revision }) => revision)).toEqual([
      ...times(17, (index) => 3 + index),
      50,
    ]);
  });

  it("takes 480 bytes", () => {
    const memory = memoryOf(() => now);

    expect(Buffer.concat(memory.records.map(packRecord))).toHaveLength(480);
  });
});

describe("an item of the first release", () => {
  const fingerprints = ["AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB", "CCCCCCCCCCCCCCCC"];

  async function age(feature: string): Promise<void> {
    await burgee.session.send(
      new UpdateCommand({
        TableName: burgee.session.table,
        Key: environmentKey(feature, "development"),
        UpdateExpression:
          "SET writes = :writes, keyed = :keyed, changed = :changed REMOVE uid, #project, idempotency",
        ExpressionAttributeNames: { "#project": "project" },
        ExpressionAttributeValues: {
          ":writes": ["39d5462f-9834-4cf6-b858-a1970e2878f5"],
          ":keyed": [fingerprints.join(".")],
          ":changed": { id: "39d5462f-9834-4cf6-b858-a1970e2878f5", by: "ci", at: "", request: "" },
        },
      }),
    );
  }

  it("is read, and packed by the next write, which keeps its idempotency records", async () => {
    const feature = await addFeature(burgee, { environments });
    await age(feature);

    const { status } = await burgee.patch(feature, adding("red"), withKey("one"));

    const item: EnvironmentItem = await burgee.storedEnvironment(feature, "development");
    expect(status).toBe(200);
    expect(item).toMatchObject({ project: "default", uid: expect.any(String), revision: 2 });
    expect(item.keyed).toBeUndefined();
    expect(toMemory(item).records.map(({ key }) => key)).toEqual(["AAAAAAAAAAA", expect.any(String)]);
  });

  it("is patched once under concurrency", async () => {
    const feature = await addFeature(burgee, { environments });
    await age(feature);

    const answers = await Promise.all(times(5, (index) => burgee.patch(feature, adding(`red-${index}`))));

    expect(answers.map(({ status }) => status)).toEqual(times(5, () => 200));
    expect(await names(feature, "development")).toHaveLength(6);
  });
});

it("records of another environment with the same key are no record of this one", async () => {
  const [left, right] = [
    await addFeature(burgee, { environments }),
    await addFeature(burgee, { environments }),
  ];
  await burgee.patch(left, adding("red"), withKey("shared"));
  await fill(left, 25);
  await fill(right, 25);

  const answer = await burgee.patch(right, adding("red"), withKey("shared"));

  expect(answer.status).toBe(200);
  expect(await names(right, "production")).toEqual(["blue", "red"]);
  expect(idempotencyKey("key", "uid")).toEqual({ pk: "IDEMPOTENCY#key", sk: "uid" });
});
