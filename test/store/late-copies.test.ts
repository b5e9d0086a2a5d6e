/** A copy of a request that the network delivers late, after its retry was acknowledged, changes nothing. */
import { DynamoDBClient, UpdateItemCommand, type UpdateItemCommandInput } from "@aws-sdk/client-dynamodb";
import { expect, inject, it, vi } from "vitest";
import { readStoredFeature } from "../../infra/store/read-stored-feature.ts";
import { deleteFeature } from "../../infra/store/write-feature.ts";
import { useBurgee } from "../support/burgee.ts";
import { addFeature, tag } from "../support/seed.ts";
import type { Call } from "../support/wire.ts";

const burgee = useBurgee();

const blue = tag("blue");
const red = tag("red");
const add = { addedTags: [blue], removedTags: [] };
const remove = { addedTags: [], removedTags: [blue] };

/** Sends a request whose first attempt gets no response. Returns what delivers that attempt to the engine. */
async function acknowledged(send: () => Promise<{ status: number }>): Promise<() => Promise<unknown>> {
  const lost: Call[] = [];
  burgee.wire.decide((call) =>
    call.operation === "UpdateItem" && lost.push(call) === 1 ? "cut before it is done" : "pass",
  );
  expect((await send()).status).toBe(201);
  burgee.wire.reset();
  const [{ input } = { input: {} }] = lost;
  const engine = new DynamoDBClient({ endpoint: inject("engine") });
  return () => engine.send(new UpdateItemCommand(input as unknown as UpdateItemCommandInput)).catch(String);
}

it("a late copy of a tag update does not undo a later update", async () => {
  const feature = await addFeature(burgee);
  const deliverLate = await acknowledged(() => burgee.putTags(feature, add));
  expect((await burgee.putTags(feature, remove)).status).toBe(201);

  await deliverLate();

  expect((await burgee.getTags(feature)).json.tags).toEqual([]);
});

it("a tag update takes effect on the feature that has the name when it arrives, never with the old one's ETag", async () => {
  const feature = await addFeature(burgee);
  const { etag = "" } = (await burgee.getTags(feature)).headers;
  const createAgain = async () => {
    await deleteFeature(burgee.session, feature, await readStoredFeature(burgee.session, feature));
    await addFeature(burgee, { name: feature });
  };
  const isUpdate = ({ operation }: Call) => operation === "UpdateItem";

  burgee.wire.beforeFirst(isUpdate, createAgain);
  const conditional = await burgee.putTags(feature, add, { headers: { "if-match": etag } });
  burgee.wire.beforeFirst(isUpdate, createAgain);
  const plain = await burgee.putTags(feature, add);

  expect([conditional.status, plain.status, plain.json.tags]).toEqual([412, 201, [blue]]);
});

it("an update that the fence of another request refuses is stored with its next attempt", async () => {
  const feature = await addFeature(burgee);
  burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    async () => (await acknowledged(() => burgee.putTags(feature, add)))(),
  );

  const { status, json } = await burgee.putTags(feature, { addedTags: [red], removedTags: [] });

  expect([status, json.tags]).toEqual([201, [blue, red]]);
});

it("a fence that a fast clock has set costs a request more, and refuses nothing", async () => {
  const feature = await addFeature(burgee);
  vi.setSystemTime(Date.now() + 3_600_000);
  await acknowledged(() => burgee.putTags(feature, add));
  vi.useRealTimers();

  expect((await burgee.putTags(feature, remove)).status).toBe(201);

  expect(burgee.wire.calls.map(({ operation }) => operation)).toEqual(["UpdateItem", "UpdateItem"]);
});
