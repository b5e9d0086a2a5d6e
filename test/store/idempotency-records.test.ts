/** An Idempotency-Key is remembered for 24 hours, however many writes follow, and costs nothing to requests without one. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, it } from "vitest";
import { type EnvironmentItem, environmentKey, idempotencyKey } from "../../lib/store/items.ts";
import { type Memory, packRecord, rememberRecord, toMemory } from "../../lib/store/remembered-writes.ts";
import { refused } from "../support/answers.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, remove, times } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";

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
async function fill(feature: string, count = 25): Promise<void> {
  for (const index of times(count, (at) => at)) {
    await burgee.patch(feature, stick(index), withKey(`other-${index}`));
  }
}

describe("after 25 other patches with keys", () => {
  const inProduction = { environment: "production" };
  let feature: string;
  let stopped: number;
  beforeAll(async () => {
    feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), withKey("one"));
    await burgee.patch(feature, adding("amber"), { ...inProduction, ...withKey("of-production") });
    await burgee.patch(feature, adding("grey"), inProduction);
    ({ status: stopped } = await burgee.patch(feature, adding("grey"), withKey("stopped")));
    await burgee.patch(feature, [remove("/2")], inProduction);
    await fill(feature);
  });

  it.each([
    ["is not applied again", "red", {}, "one"],
    ["in one environment is not applied again", "amber", inProduction, "of-production"],
    ["is finished in the environment that it had not reached", "grey", {}, "stopped"],
  ])("a retry %s", async (_, name, options, key) => {
    const retried = await burgee.patch(feature, adding(name), { ...options, ...withKey(key) });

    expect(stopped).toBe(400);
    expect(retried.status).toBe(200);
    for (const environment of name === "amber" ? ["production"] : Object.keys(environments)) {
      expect((await names(feature, environment)).filter((one) => one === name)).toEqual([name]);
    }
  });

  it("another body is refused with 409", async () => {
    const response = await burgee.patch(feature, adding("violet"), withKey("one"));

    expect(response).toEqual(refused(409, "ConflictError"));
    expect(await names(feature, "development")).not.toContain("violet");
  });

  it("a patch without a key makes no other calls than before", async () => {
    await burgee.patch(feature, stick(100));

    expect(operations()).toEqual(["Query", "UpdateItem", "UpdateItem"]);
  });

  it("a patch with a key makes one read more for all environments", async () => {
    await burgee.patch(feature, stick(101), withKey("two"));

    expect(operations()).toEqual(["Query", "Query", "UpdateItem", "UpdateItem"]);
  });
});

it("a retry is recognised when the record moves between its read and its write", async () => {
  const feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });
  burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    async () => {
      await burgee.patch(feature, adding("red"), withKey("one"));
      await fill(feature);
    },
  );

  const overtaken = await burgee.patch(feature, adding("red"), withKey("one"));

  expect(overtaken.status).toBe(200);
  expect(await names(feature, "development")).toEqual(["blue", "red"]);
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

it("a patch with a key makes no other calls while no record has moved", async () => {
  const feature = await addFeature(burgee, { environments });
  burgee.wire.reset();

  await burgee.patch(feature, stick(100), withKey("one"));

  expect(operations()).toEqual(["Query", "UpdateItem", "UpdateItem"]);
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
