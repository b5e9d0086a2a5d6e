/** A table as the first release left it: every kind of item, written by its server and its command line. */
import { DynamoDBClient, UpdateItemCommand, type UpdateItemCommandInput } from "@aws-sdk/client-dynamodb";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { readStoredFeature } from "../../infra/store/read-stored-feature.ts";
import { deleteFeature } from "../../infra/store/write-feature.ts";
import { toMemory } from "../../lib/store/remembered-writes.ts";
import { freshCommandLine, newFolder } from "../infra/admin/command-line.ts";
import { add, replace, times } from "../support/patching.ts";
import { projectOf, tag } from "../support/seed.ts";
import type { Call } from "../support/wire.ts";
import items from "./data/first-release.json" with { type: "json" };

const key = "burgee-demo-key-for-this-machine";
const red = { name: "red", weight: 0, payload: { type: "json", value: '{"a":1}' } };
const addRed = [add("/-", red)];
const restick = (stickiness: string) => [replace("/0/stickiness", stickiness)];
const withKey = (idempotencyKey: string) => ({ headers: { "idempotency-key": idempotencyKey } });

const line = freshCommandLine();

beforeEach(async () => {
  for (const item of items) await put(item);
});

async function put(Item: Record<string, unknown>): Promise<void> {
  const { session } = line.burgee;
  await session.send(new PutCommand({ TableName: session.table, Item }));
}

const patch = (body: object, options = {}) => line.burgee.patch("checkout", body, { key, ...options });
const development = () => line.burgee.storedEnvironment("checkout", "development");

describe("what the first release stored", () => {
  it("is read", async () => {
    const tags = await line.burgee.getTags("checkout", { key });
    const variants = await line.burgee.getVariants("checkout", { key, environment: "production" });

    expect(tags.json.tags).toEqual([tag("from-the-first-release"), tag("team-a")]);
    expect(variants.json.variants).toMatchObject([
      { name: "blue", weight: 500, stickiness: "userId" },
      { ...red, weight: 500 },
    ]);
  });

  it("is patched, under the conditions of today's reads, and packed, with its idempotency records", async () => {
    const { headers } = await line.burgee.getVariants("checkout", { key });
    const ifMatch = { "if-match": headers.etag ?? "", "idempotency-key": "release-2" };
    const update = { addedTags: [tag("new")], removedTags: [] };

    const patched = await patch(restick("sessionId"), { headers: ifMatch });
    const tagged = await line.burgee.putTags("checkout", update, { key });

    const item = await development();
    expect([patched.status, tagged.status]).toEqual([200, 201]);
    expect(item).toMatchObject({ project: "default", uid: expect.any(String), revision: 4 });
    // Three ids of the first release, and one of today's, of 8 bytes each.
    expect(item.writes).toHaveLength(4 * 8);
    expect(item.keyed).toBeUndefined();
    expect(toMemory(item).records.map(({ key }) => key)).toEqual(["GcEKd-_x-G8", expect.any(String)]);
  });

  it("is patched once by a retry with the ETag and the idempotency key of the first attempt", async () => {
    const { headers } = await line.burgee.getVariants("checkout", { key });
    const send = () =>
      patch(restick("a"), { headers: { "if-match": headers.etag ?? "", "idempotency-key": "release-2" } });

    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    expect((await development()).revision).toBe(4);
  });

  it("is patched once by such a retry where another environment had a uid before", async () => {
    expect((await patch(restick("a"), { environment: "production" })).status).toBe(200);
    const { headers } = await line.burgee.getVariants("checkout", { key });
    const send = () =>
      patch(restick("b"), { headers: { "if-match": headers.etag ?? "", "idempotency-key": "release-2" } });

    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    expect((await development()).revision).toBe(4);
  });

  it("is not patched once it was deleted and created again, or moved and moved back", async () => {
    const apply = async (project: string) => expect((await line.run("apply", fileTo(project))).code).toBe(0);
    const patchDuring = async (happens: () => Promise<unknown>) => {
      line.burgee.wire.beforeFirst(({ operation }) => operation === "UpdateItem", happens);
      return (await line.burgee.patch("search", addRed, { key, environment: "development" })).status;
    };

    const ofMoved = await patchDuring(async () => {
      await apply("other");
      await apply("default");
    });
    await put(items.find(({ pk, sk }) => pk === "FEATURE#search" && sk === "ENVIRONMENT#development") ?? {});
    const ofRecreated = await patchDuring(async () => {
      await line.run("feature delete search --yes");
      await apply("default");
    });

    expect([ofMoved, ofRecreated]).toEqual([404, 404]);
    expect(await line.burgee.names("search")).toEqual([]);
  });

  it("is patched once under concurrency", async () => {
    const names = times(5, (index) => `new-${index}`);

    const answers = await Promise.all(names.map((name) => patch([add("/-", { name, weight: 1 })])));

    expect(answers.map(({ status }) => status)).toEqual(times(5, () => 200));
    expect(await line.burgee.names("checkout")).toHaveLength(3 + 5);
  });

  it("remembers its idempotency keys: a retry is refused, not applied again", async () => {
    const refused = { status: 409, json: { name: "ConflictError" } };

    expect(await patch(addRed, withKey("release-1"))).toMatchObject(refused);
    expect((await development()).revision).toBe(3);
  });

  it("is exported, listed and shown; applied again, the export changes nothing", async () => {
    const file = newFolder().file("state.json", JSON.parse(await line.exported()));

    const same = await line.json("apply", file, "--dry-run");
    const shown = await line.run("feature", "show", "checkout");
    const keys = await line.json("key", "list");

    expect(same).toMatchObject({ created: 0, updated: 0, removed: 0, unchanged: 6 });
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining("red") });
    expect(keys.map(({ name }: { name: string }) => name)).toEqual(["admin", "ci", "demo"]);
  });

  it("is changed by apply", async () => {
    const file = newFolder().file("state.json", {
      projects: [{ id: "default", environments: ["development", "production"] }],
      features: [{ name: "checkout", project: "default", environments: { development: { variants: [] } } }],
    });

    expect(await line.json("apply", file)).toMatchObject({ created: 0, updated: 1, removed: 0 });
    expect(await development()).toMatchObject({ revision: 4, variants: [] });
  });

  const fileTo = (project: string) =>
    newFolder().file("state.json", {
      projects: [projectOf(project, "development", "production")],
      features: [{ name: "search", project }],
    });
  const toOther = fileTo("other");
  async function expectMoved(): Promise<void> {
    const item = { project: "other", uid: expect.any(String) };
    for (const environment of ["development", "production"])
      expect(await line.burgee.storedEnvironment("search", environment)).toMatchObject(item);
    expect((await line.burgee.patch("search", [], { key, project: "other" })).status).toBe(200);
  }

  it("is not deleted by a late copy of its deletion, once it was created again", async () => {
    const { session } = line.burgee;
    const stored = await readStoredFeature(session, "search");
    await deleteFeature(session, "search", stored);
    await line.run("apply", fileTo("default"));

    await deleteFeature(session, "search", stored);

    expect(await line.burgee.storedEnvironment("search", "development")).toMatchObject({ revision: 1 });
    expect((await line.burgee.getTags("search", { key })).status).toBe(200);
  });

  it("is moved to another project", async () => {
    expect(await line.json("apply", toOther)).toMatchObject({ created: 1, updated: 1 });
    await expectMoved();
  });

  it("is not moved back by late copies of the writes of its move", async () => {
    const engine = new DynamoDBClient({ endpoint: inject("engine") });
    line.burgee.wire.reset();
    await line.run("apply", toOther);
    const writes = line.burgee.wire.calls.filter(({ operation }) => operation === "UpdateItem");
    const moved = await readStoredFeature(line.burgee.session, "search");

    for (const { input } of writes.toReversed()) {
      await engine.send(new UpdateItemCommand(input as unknown as UpdateItemCommandInput)).catch(String);
    }

    expect(writes).toHaveLength(5);
    expect(await readStoredFeature(line.burgee.session, "search")).toEqual(moved);
  });

  it("is moved with the idempotency records that have left the list since apply has read it", async () => {
    const addOne = (index: number) =>
      line.burgee.patch("search", [add("/-", { name: `v${index}`, weight: 0 })], {
        key,
        ...withKey(`release-${index}`),
      });
    line.burgee.wire.beforeFirst(
      ({ operation }) => operation === "UpdateItem",
      async () => {
        for (let index = 0; index < 21; index++) expect((await addOne(index)).status).toBe(200);
      },
    );
    expect((await line.run("apply", toOther)).code).toBe(0);
    expect((await line.run("apply", fileTo("default"))).code).toBe(0);
    const before = await line.burgee.storedEnvironment("search", "development");

    expect((await addOne(0)).status).toBe(200);

    expect(await line.burgee.storedEnvironment("search", "development")).toEqual(before);
  });

  it("is moved by the next apply after a move that was interrupted", async () => {
    const isWriteOf = (sk: string, { operation, input }: Call) =>
      operation === "UpdateItem" && JSON.stringify(input.Key).includes(sk);
    let isMoved = false;
    line.burgee.wire.decide((call) => {
      if (isMoved && isWriteOf("ENVIRONMENT#", call)) return { error: "AccessDeniedException" };
      isMoved ||= isWriteOf('"FEATURE"', call);
      return "pass";
    });
    const { code } = await line.run("apply", toOther);
    line.burgee.wire.reset();

    expect(code).toBe(1);
    expect(await line.json("apply", toOther)).toMatchObject({ created: 0, updated: 1 });
    await expectMoved();
  });
});

describe("after a rollback to the first release, or beside it", () => {
  /** What the first release makes of an item of today's: it takes the packed ids for a list, and knows its own records. */
  async function writeAsFirstRelease(keyed: string[]): Promise<void> {
    const { writes, ...item } = await development();
    const list = [...writes, "0d6ca6a8-5bd0-4f0c-a92a-9d2a4a3a8f0e"].slice(-20);
    await put({ ...item, writes: list, keyed, revision: item.revision + 1 });
  }

  it("what it wrote is patched again", async () => {
    await patch(restick("sessionId"), withKey("release-2"));
    await writeAsFirstRelease([]);

    expect((await patch(restick("userId"))).status).toBe(200);
    expect(await development()).toMatchObject({ revision: 6, writes: expect.any(Uint8Array) });
  });

  it("the idempotency keys of both are remembered", async () => {
    const { keyed = [], ...item } = await development();
    await put(item);
    const inDevelopment = (name: string) => ({ ...withKey(name), environment: "development" });
    const first = await patch(restick("a"), inDevelopment("release-2"));
    await writeAsFirstRelease(keyed);

    const ofFirst = await patch(addRed, inDevelopment("release-1"));
    const ofToday = await patch(restick("a"), inDevelopment("release-2"));

    expect([first.status, ofFirst.status, ofToday.status]).toEqual([200, 409, 200]);
    expect((await development()).revision).toBe(5);
  });
});
