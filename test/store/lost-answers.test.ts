/** The network may lose the response of a write that was stored, or deliver a copy of it late. Every schedule: test/explore */
import { DynamoDBClient, UpdateItemCommand, type UpdateItemCommandInput } from "@aws-sdk/client-dynamodb";
import { describe, expect, inject, it, vi } from "vitest";
import type { Tag } from "../../lib/contract/tags.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, replace, times } from "../support/patching.ts";
import { addFeature, tag, variant } from "../support/seed.ts";
import type { Call, Fate } from "../support/wire.ts";

const burgee = useBurgee();

const adding = [add("/-", { name: "green", weight: 1 })];
const environments = { development: [variant("blue")], production: [variant("blue")] };
const blue = tag("blue");
const addBlue = { addedTags: [blue], removedTags: [] };
const removeBlue = { addedTags: [], removedTags: [blue] };
const isUpdate = ({ operation }: Call) => operation === "UpdateItem";

it.each(["returned", "withheld"] as const)(
  "a write whose response is lost is made once, where a failed condition has its item %s",
  async (oldItems) => {
    burgee.wire.oldItems = oldItems;
    const feature = await addFeature(burgee, { environments });
    burgee.wire.decideWrites((_, { attempt }) => (attempt === 1 ? "lose the answer" : "pass"));

    const { status } = await burgee.patch(feature, adding);

    expect(status).toBe(200);
    for (const environment of Object.keys(environments)) {
      expect(await burgee.names(feature, environment)).toEqual(["blue", "green"]);
      expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({ revision: 2 });
    }
    burgee.wire.oldItems = "returned";
  },
);

it("a patch returns 409 when its response was lost, and too many writes followed to know its outcome", async () => {
  const feature = await addFeature(burgee, { environments });
  let others = 0;
  const writeOthers = async () => {
    for (; others < 20; others++) await burgee.patch(feature, [replace("/0/stickiness", `s${others}`)]);
  };
  let ours: string | undefined;
  burgee.wire.decideWrites((_, { attempt, id }): Fate => {
    ours ??= id;
    if (id !== ours) return "pass";
    if (attempt === 1) return "lose the answer";
    if (attempt === 2) void writeOthers();
    return others < 20 ? { error: "ThrottlingException" } : "pass";
  });

  const { status, json, headers } = await burgee.patch(feature, adding);

  expect(status).toBe(409);
  expect(headers).toHaveProperty("burgee-change");
  expect(json.message).toContain("It is not known whether the write was stored");
  expect(await burgee.names(feature)).toEqual(["blue", "green"]);
});

describe("the outcome of an update whose response is lost is reported as not known", () => {
  /** Loses the response of the first update, and before its retry this happens. */
  function loseFirst(happens: () => Promise<unknown>): void {
    let isFirst = true;
    burgee.wire.decide(async (call): Promise<Fate> => {
      if (isUpdate(call) && call.attempt > 1) await happens();
      const isLost = isFirst && isUpdate(call);
      if (isLost) isFirst = false;
      return isLost ? "lose the answer" : "pass";
    });
  }

  it.each(["tag update", "patch"])("if no time is left to read what was deleted since: %s", async (what) => {
    const name = await addFeature(burgee, { environments });
    const { pk } = await burgee.storedFeature(name);
    const sk = what === "patch" ? "ENVIRONMENT#development" : "FEATURE";
    let remaining = 15_000;
    loseFirst(async () => {
      await burgee.remove({ pk, sk });
      remaining = 0;
    });
    const options = { remainingMs: () => remaining };

    const { status, json, headers } = await (what === "patch"
      ? burgee.patch(name, adding, options)
      : burgee.putTags(name, addBlue, options));

    expect([status, json.message]).toEqual([503, expect.stringContaining("it is not known")]);
    expect("burgee-change" in headers).toBe(what === "patch");
  });

  it("if another update left no room for the retry", async () => {
    const hundred = (from: number) =>
      times(100, (index) => tag(`${from + index}`.padEnd(50, "v"), "t".repeat(50)));
    const name = await addFeature(burgee, { tags: times(35, (index) => hundred(100 * index)).flat() });
    const put = (addedTags: Tag[], removedTags: Tag[] = []) =>
      burgee.putTags(name, { addedTags, removedTags });
    for (const from of [3500, 3600]) await put(hundred(from));
    loseFirst(() => put(hundred(9100), hundred(9000)));

    const { status, json } = await put(hundred(9000), hundred(0));

    expect([status, json.message]).toEqual([409, expect.stringContaining("It is not known")]);
  });
});

/** Sends a request whose first attempt gets no response. Returns what delivers that attempt to the engine. */
async function acknowledged(send: () => Promise<{ status: number }>): Promise<() => Promise<unknown>> {
  const lost: Call[] = [];
  burgee.wire.decide((call) => (isUpdate(call) && lost.push(call) === 1 ? "cut before it is done" : "pass"));
  expect((await send()).status).toBe(201);
  burgee.wire.reset();
  const engine = new DynamoDBClient({ endpoint: inject("engine") });
  const input = lost[0]?.input as unknown as UpdateItemCommandInput;
  return () => engine.send(new UpdateItemCommand(input)).catch(String);
}

it("a late copy of a tag update does not undo a later update", async () => {
  const feature = await addFeature(burgee);
  const deliverLate = await acknowledged(() => burgee.putTags(feature, addBlue));
  expect((await burgee.putTags(feature, removeBlue)).status).toBe(201);

  await deliverLate();

  expect((await burgee.getTags(feature)).json.tags).toEqual([]);
});

it("a fence that a fast clock has set costs a tag update one more call, and does not refuse it", async () => {
  const feature = await addFeature(burgee);
  vi.setSystemTime(Date.now() + 3_600_000);
  await acknowledged(() => burgee.putTags(feature, addBlue));
  vi.useRealTimers();

  expect((await burgee.putTags(feature, removeBlue)).status).toBe(201);

  expect(burgee.wire.calls.map(({ operation }) => operation)).toEqual(["UpdateItem", "UpdateItem"]);
});
