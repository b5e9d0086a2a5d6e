/** Tickets of a queue in the table: they cost a request that meets no one nothing, and never decide what is written. */
import { describe, expect, it } from "vitest";
import { getItem } from "../../lib/store/get-item.ts";
import { type QueueItem, queueKey } from "../../lib/store/items.ts";
import { useBurgee } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { addQueue, isTicket } from "../support/queue.ts";
import { addFeature } from "../support/seed.ts";

const burgee = useBurgee({});
const patch = [add("/-", { name: "blue", weight: 1 })];

function readQueue(feature: string): Promise<QueueItem | undefined> {
  return getItem<QueueItem>(burgee.session, queueKey(feature, "production"));
}

function operations(): string[] {
  return burgee.wire.calls.map(({ operation }) => operation).filter((operation) => operation !== "GetItem");
}

it("a patch that meets no other takes no ticket", async () => {
  const feature = await addFeature(burgee, { project: "queued", environments: { production: [] } });

  const { status } = await burgee.patch(feature, patch, { project: "queued" });

  expect(status).toBe(200);
  expect(operations()).toEqual(["Query", "UpdateItem"]);
  expect(await readQueue(feature)).toBeUndefined();
});

it("a patch passes over a thousand tickets whose callers are gone, and the next one waits for nobody", async () => {
  const feature = await addQueue(burgee, 1000);

  const first = await burgee.patch(feature, patch, { project: "queued" });
  expect(first.status).toBe(200);
  expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ served: 1001, revision: 2 });

  burgee.wire.reset();
  const second = await burgee.patch(feature, [add("/-", { name: "red", weight: 1 })], { project: "queued" });
  expect(second.status).toBe(200);
  expect(operations()).toEqual(["Query", "UpdateItem"]);
});

it("a patch that turns out invalid gives up its turn", async () => {
  const feature = await addQueue(burgee, 3);

  const { status } = await burgee.patch(feature, [add("/7", { name: "blue" })], { project: "queued" });

  expect(status).toBe(400);
  expect(await readQueue(feature)).toMatchObject({ lastTicket: 4, givenUp: 4 });
  burgee.wire.reset();
  await burgee.patch(feature, patch, { project: "queued" });
  expect(operations()).toEqual(["Query", "UpdateItem"]);
});

it("a turn that cannot be given up does not change the response", async () => {
  const feature = await addQueue(burgee, 3);
  burgee.wire.decide(({ input }) =>
    String(input.UpdateExpression).includes("givenUp") ? { error: "ValidationException" } : "pass",
  );

  const { status, json } = await burgee.patch(feature, [add("/7", { name: "blue" })], { project: "queued" });

  expect([status, json.name]).toEqual([400, "ValidationError"]);
});

it("a dry run takes no ticket", async () => {
  const feature = await addQueue(burgee, 3);

  const { status } = await burgee.patch(feature, patch, { project: "queued", dryRun: true });

  expect(status).toBe(200);
  expect(await readQueue(feature)).toMatchObject({ lastTicket: 3 });
});

it("a patch with an ETag in If-Match takes no ticket; one with * does", async () => {
  const feature = await addQueue(burgee, 3);
  const { headers } = await burgee.getVariants(feature, { project: "queued" });

  const matching = { project: "queued", headers: { "if-match": headers.etag ?? "" } };
  expect((await burgee.patch(feature, patch, matching)).status).toBe(200);
  expect(await readQueue(feature)).toMatchObject({ lastTicket: 3 });

  const any = { project: "queued", headers: { "if-match": "*" } };
  expect((await burgee.patch(feature, [add("/-", { name: "red", weight: 1 })], any)).status).toBe(200);
  expect(await readQueue(feature)).toMatchObject({ lastTicket: 4 });
});

it("after its queue was lost, an environment goes on with the ticket after the last one served", async () => {
  const feature = await addQueue(burgee, 3);
  await burgee.patch(feature, patch, { project: "queued" });
  await burgee.remove(queueKey(feature, "production"));
  let refused = 0;
  burgee.wire.decide(({ input }) => {
    const isWrite = "ConditionExpression" in input;
    return isWrite && refused++ < 2 ? { error: "ConditionalCheckFailedException" } : "pass";
  });

  const { status } = await burgee.patch(feature, [add("/-", { name: "red", weight: 1 })], {
    project: "queued",
  });

  expect(status).toBe(200);
  expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ served: 5 });
});

describe("a ticket that cannot be taken does not fail the request", () => {
  it.each(["AccessDeniedException", "ThrottlingException"])("%s", async (error) => {
    const feature = await addQueue(burgee, 3);
    burgee.wire.decide((call) => (isTicket(call) ? { error } : "pass"));

    const { status } = await burgee.patch(feature, patch, { project: "queued" });

    expect(status).toBe(200);
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
  });
});
