/** Tickets of a queue in the table: they cost a request that meets no one nothing, and never decide what is written. */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { environmentKey, getItem, type QueueItem, queueKey } from "../../lib/store/items.ts";
import { useBurgee } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { addFeature } from "../support/seed.ts";
import { isTicket } from "../support/wire.ts";

const burgee = useBurgee({});
const project = "queued";
const environments = { production: [] };
const adding = (name: string) => [add("/-", { name, weight: 1 })];
const invalid = [add("/7", { name: "blue" })];

const readQueue = (feature: string) => getItem<QueueItem>(burgee.session, queueKey(feature, "production"));

/** Adds a feature with one environment, whose tickets up to this one are not served. */
async function addQueue(lastTicket: number): Promise<string> {
  const feature = await addFeature(burgee, { project, environments });
  const Item: QueueItem = { ...queueKey(feature, "production"), lastTicket };
  await burgee.session.send(new PutCommand({ TableName: burgee.session.table, Item }));
  burgee.wire.reset();
  return feature;
}

/** Sends a patch that meets no queue. */
async function expectNoWait(feature: string): Promise<void> {
  burgee.wire.reset();
  expect((await burgee.patch(feature, adding("red"), { project })).status).toBe(200);
  const operations = burgee.wire.calls.map(({ operation }) => operation);
  expect(operations.filter((operation) => operation !== "GetItem")).toEqual(["Query", "UpdateItem"]);
}

it("a patch that meets no other takes no ticket", async () => {
  const feature = await addFeature(burgee, { project, environments });

  await expectNoWait(feature);

  expect(await readQueue(feature)).toBeUndefined();
});

it("a patch waits half a second for a thousand tickets whose callers are gone, and the next one does not wait", async () => {
  const feature = await addQueue(1000);

  expect((await burgee.patch(feature, adding("blue"), { project })).status).toBe(200);

  const stored = await burgee.storedEnvironment(feature, "production");
  expect(stored).toMatchObject({ served: 1001, revision: 2 });
  await expectNoWait(feature);
});

it("a patch that turns out invalid gives up its turn", async () => {
  const feature = await addQueue(3);

  expect((await burgee.patch(feature, invalid, { project })).status).toBe(400);

  expect(await readQueue(feature)).toMatchObject({ lastTicket: 4, givenUp: 4 });
  await expectNoWait(feature);
});

it.each<[string, object, lastTicket: number]>([
  ["a dry run takes no ticket", { dryRun: true }, 3],
  ["a patch with If-Match: * takes one", { headers: { "if-match": "*" } }, 4],
])("%s", async (_, options, lastTicket) => {
  const feature = await addQueue(3);

  expect((await burgee.patch(feature, adding("blue"), { project, ...options })).status).toBe(200);

  expect(await readQueue(feature)).toMatchObject({ lastTicket });
});

it("after its queue was lost, an environment goes on with the ticket after the last one served", async () => {
  const feature = await addQueue(3);
  await burgee.patch(feature, adding("blue"), { project });
  await burgee.remove(queueKey(feature, "production"));
  let refused = 0;
  burgee.wire.decide(({ input }) => {
    const isWrite = "ConditionExpression" in input;
    return isWrite && refused++ < 2 ? { error: "ConditionalCheckFailedException" } : "pass";
  });

  expect((await burgee.patch(feature, adding("red"), { project })).status).toBe(200);

  expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ served: 5 });
});

it.each([
  ["taken", "lastTicket", adding("blue"), 200],
  ["given up", "givenUp", invalid, 400],
])("a ticket that cannot be %s does not change the response", async (_, name, patch, expected) => {
  const feature = await addQueue(3);
  burgee.wire.decide(({ operation, input }) =>
    operation === "UpdateItem" && String(input.UpdateExpression).includes(name)
      ? { error: "AccessDeniedException" }
      : "pass",
  );

  expect((await burgee.patch(feature, patch, { project })).status).toBe(expected);
});

describe("after a wait", () => {
  it.each<[string, (feature: string) => Promise<unknown>]>([
    ["deleted", (feature) => burgee.remove(environmentKey(feature, "production"))],
    ["created again", (feature) => addFeature(burgee, { name: feature, project, environments })],
  ])("a feature that was %s is 404", async (_, happens) => {
    const feature = await addQueue(3);
    burgee.wire.beforeFirst(isTicket, () => happens(feature));

    const { status, json } = await burgee.patch(feature, adding("blue"), { project });

    expect([status, json.message]).toEqual([404, expect.stringContaining("was deleted")]);
  });

  it.each([
    ["the same patch is not applied again", adding("blue"), 200],
    ["another patch is refused", adding("red"), 409],
  ])("after an earlier attempt with its idempotency key was stored, %s", async (_, earlier, expected) => {
    const feature = await addQueue(3);
    const keyed = { "idempotency-key": `key-of-${feature}` };
    // With an ETag to match it does not wait, and writes first.
    const atOnce = { ...keyed, "if-match": await burgee.etag(feature, { project }) };
    burgee.wire.beforeFirst(isTicket, () => burgee.patch(feature, earlier, { project, headers: atOnce }));

    const { status } = await burgee.patch(feature, adding("blue"), { project, headers: keyed });

    expect(status).toBe(expected);
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
  });
});
