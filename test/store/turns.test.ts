/** Tickets of a queue in the table: they cost a request that meets no one nothing, and never decide what is written. */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { environmentKey, getItem, type QueueItem, queueKey } from "../../lib/store/items.ts";
import { useBurgee } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { addQueue, addTickets, isTicket } from "../support/queue.ts";
import { addFeature } from "../support/seed.ts";

const burgee = useBurgee({});
const project = "queued";
const patch = [add("/-", { name: "blue", weight: 1 })];

function readQueue(feature: string): Promise<QueueItem | undefined> {
  return getItem<QueueItem>(burgee.session, queueKey(feature, "production"));
}

function operations(): string[] {
  return burgee.wire.calls.map(({ operation }) => operation).filter((operation) => operation !== "GetItem");
}

it("a patch that meets no other takes no ticket", async () => {
  const feature = await addFeature(burgee, { project, environments: { production: [] } });

  const { status } = await burgee.patch(feature, patch, { project });

  expect(status).toBe(200);
  expect(operations()).toEqual(["Query", "UpdateItem"]);
  expect(await readQueue(feature)).toBeUndefined();
});

it("a patch waits half a second for a thousand tickets whose callers are gone, and the next one does not wait", async () => {
  const feature = await addQueue(burgee, 1000);

  const first = await burgee.patch(feature, patch, { project });
  expect(first.status).toBe(200);
  expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ served: 1001, revision: 2 });

  burgee.wire.reset();
  const second = await burgee.patch(feature, [add("/-", { name: "red", weight: 1 })], { project });
  expect(second.status).toBe(200);
  expect(operations()).toEqual(["Query", "UpdateItem"]);
});

it("a patch that turns out invalid gives up its turn", async () => {
  const feature = await addQueue(burgee, 3);

  const { status } = await burgee.patch(feature, [add("/7", { name: "blue" })], { project });

  expect(status).toBe(400);
  expect(await readQueue(feature)).toMatchObject({ lastTicket: 4, givenUp: 4 });
  burgee.wire.reset();
  await burgee.patch(feature, patch, { project });
  expect(operations()).toEqual(["Query", "UpdateItem"]);
});

it("a turn that cannot be given up does not change the response", async () => {
  const feature = await addQueue(burgee, 3);
  burgee.wire.decide(({ input }) =>
    String(input.UpdateExpression).includes("givenUp") ? { error: "ValidationException" } : "pass",
  );

  const { status, json } = await burgee.patch(feature, [add("/7", { name: "blue" })], { project });

  expect([status, json.name]).toEqual([400, "ValidationError"]);
});

it("a dry run takes no ticket", async () => {
  const feature = await addQueue(burgee, 3);

  const { status } = await burgee.patch(feature, patch, { project, dryRun: true });

  expect(status).toBe(200);
  expect(await readQueue(feature)).toMatchObject({ lastTicket: 3 });
});

it("a patch with an ETag in If-Match takes no ticket; one with * does", async () => {
  const feature = await addQueue(burgee, 3);
  const { headers } = await burgee.getVariants(feature, { project });

  const matching = { project, headers: { "if-match": headers.etag ?? "" } };
  expect((await burgee.patch(feature, patch, matching)).status).toBe(200);
  expect(await readQueue(feature)).toMatchObject({ lastTicket: 3 });

  const any = { project, headers: { "if-match": "*" } };
  expect((await burgee.patch(feature, [add("/-", { name: "red", weight: 1 })], any)).status).toBe(200);
  expect(await readQueue(feature)).toMatchObject({ lastTicket: 4 });
});

it("after its queue was lost, an environment goes on with the ticket after the last one served", async () => {
  const feature = await addQueue(burgee, 3);
  await burgee.patch(feature, patch, { project });
  await burgee.remove(queueKey(feature, "production"));
  let refused = 0;
  burgee.wire.decide(({ input }) => {
    const isWrite = "ConditionExpression" in input;
    return isWrite && refused++ < 2 ? { error: "ConditionalCheckFailedException" } : "pass";
  });

  const { status } = await burgee.patch(feature, [add("/-", { name: "red", weight: 1 })], {
    project,
  });

  expect(status).toBe(200);
  expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ served: 5 });
});

describe("a ticket that cannot be taken does not fail the request", () => {
  it.each(["AccessDeniedException", "ThrottlingException"])("%s", async (error) => {
    const feature = await addQueue(burgee, 3);
    burgee.wire.decide((call) => (isTicket(call) ? { error } : "pass"));

    const { status } = await burgee.patch(feature, patch, { project });

    expect(status).toBe(200);
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
  });
});

/** Calls this once, when a request takes a ticket: before the request reads again. */
function onTicket(then: () => Promise<unknown>): void {
  burgee.wire.beforeFirst(isTicket, then);
}

async function setUid(feature: string, environment: string, uid: string | undefined): Promise<void> {
  const { session } = burgee;
  const item = await burgee.storedEnvironment(feature, environment);
  const put = new PutCommand({ TableName: session.table, Item: { ...item, uid } });
  await session.send(put);
}

describe("after a wait", () => {
  it("a feature that was deleted is 404", async () => {
    const feature = await addQueue(burgee, 3);
    onTicket(() => burgee.remove(environmentKey(feature, "production")));

    const { status, json } = await burgee.patch(feature, patch, { project });

    expect([status, json.message]).toEqual([404, expect.stringContaining("was deleted")]);
  });

  it("a feature that was deleted and made again is 404, and not written", async () => {
    const feature = await addQueue(burgee, 3);
    onTicket(() => addFeature(burgee, { name: feature, project, environments: { production: [] } }));

    const { status } = await burgee.patch(feature, patch, { project });

    expect(status).toBe(404);
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({
      revision: 1,
      variants: [],
    });
  });

  it("an environment after one in which it waited is 404 as well, if it was made again", async () => {
    const environments = { production: [], staging: [] };
    const feature = await addFeature(burgee, { project, environments });
    await addTickets(burgee, feature, 3);
    const uids = await Promise.all(
      Object.keys(environments).map(async (name) => (await burgee.storedEnvironment(feature, name)).uid),
    );
    onTicket(async () => {
      await addFeature(burgee, { name: feature, project, environments });
      await setUid(feature, "production", uids[0]);
    });

    const { status, json } = await burgee.patch(feature, patch, { project });

    expect(status).toBe(404);
    expect(json.details.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["patched", "failed"]);
    expect(await burgee.storedEnvironment(feature, "staging")).toMatchObject({ revision: 1, variants: [] });
  });

  it.each([
    ["the same patch is not applied again", patch, 200],
    ["another patch is refused", [add("/-", { name: "red", weight: 1 })], 409],
  ])("after an earlier attempt with its idempotency key was stored, %s", async (_, earlier, expected) => {
    const feature = await addQueue(burgee, 3);
    const { headers } = await burgee.getVariants(feature, { project });
    const keyed = { "idempotency-key": `key-of-${feature}` };
    // With an ETag to match it does not wait, and writes first.
    const atOnce = { project, headers: { ...keyed, "if-match": headers.etag ?? "" } };
    onTicket(() => burgee.patch(feature, earlier, atOnce));

    const { status } = await burgee.patch(feature, patch, { project, headers: keyed });

    expect(status).toBe(expected);
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
  });
});
