/** What a request finds after a wait passes the checks of what it finds after a write conflict. */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { environmentKey } from "../../lib/store/items.ts";
import { useBurgee } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { addQueue, addTickets, isTicket } from "../support/queue.ts";
import { addFeature } from "../support/seed.ts";

const burgee = useBurgee({});
const patch = [add("/-", { name: "blue", weight: 1 })];
const project = "queued";

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

it("a feature that was deleted is 404", async () => {
  const feature = await addQueue(burgee, 3);
  onTicket(() => burgee.remove(environmentKey(feature, "production")));

  const { status, json } = await burgee.patch(feature, patch, { project });

  expect([status, json.message]).toEqual([404, expect.stringContaining("deleted or moved")]);
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
