/** An Idempotency-Key is remembered for at least 24 hours, however many writes follow. */
import { beforeAll, describe, expect, it } from "vitest";
import { useBurgee, variantsPath } from "../support/burgee.ts";
import { add, remove } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";
import type { Call } from "../support/wire.ts";

const burgee = useBurgee();

const environments = { development: [variant("blue")], production: [variant("blue")] };
const inDevelopment = { environments: { development: [variant("blue")] } };
const inProduction = { environment: "production" };
const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
const adding = (name: string) => [add("/-", { name, weight: 1 })];
const stick = (index: number) => [add("/0/stickiness", `s${index}`)];
const isOfRecord = ({ input }: Call) => JSON.stringify(input).includes("IDEMPOTENCY#");

/** So many keyed patches that the records before them have left the list of the item. */
async function fill(feature: string, count = 25, name = "other"): Promise<void> {
  for (let index = 0; index < count; index++)
    await burgee.patch(feature, stick(index), withKey(`${name}-${index}`));
}

describe("after 25 other patches with keys", () => {
  let feature: string;
  beforeAll(async () => {
    feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), withKey("one"));
    await burgee.patch(feature, adding("amber"), { ...inProduction, ...withKey("of-production") });
    await burgee.patch(feature, adding("grey"), inProduction);
    expect((await burgee.patch(feature, adding("grey"), withKey("stopped"))).status).toBe(400);
    await burgee.patch(feature, [remove("/2")], inProduction);
    const { headers } = await burgee.patch(feature, adding("white"), withKey("undone"));
    const path = variantsPath(feature, { below: `/changes/${headers["burgee-change"]}/undo` });
    expect((await burgee.send({ method: "POST", path })).status).toBe(200);
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
    ["another body", "green", "one"],
    ["a request that was undone", "white", "undone"],
  ])("%s is refused", async (_, name, key) => {
    expect((await burgee.patch(feature, adding(name), withKey(key))).status).toBe(409);
    expect(await burgee.names(feature)).not.toContain(name);
  });

  it.each([
    ["without a key makes no other calls than before", stick(100), {}, []],
    ["with a key makes one read more for all environments", stick(101), withKey("two"), ["Query"]],
  ])("a patch %s", async (_, patch, options, more) => {
    await burgee.patch(feature, patch, options);

    const operations = burgee.wire.calls.map(({ operation }) => operation);
    expect(operations).toEqual([...more, "Query", "UpdateItem", "UpdateItem"]);
  });
});

it("ten records at a time get items of their own, which last 49 hours", async () => {
  await fill(await addFeature(burgee, inDevelopment), 21);

  const moved = burgee.wire.calls.filter(isOfRecord);

  expect(moved).toHaveLength(10);
  for (const { input } of moved) {
    const values = input.ExpressionAttributeValues as Record<string, { N: string }>;
    expect((Number(values[":ttl"]?.N) - Date.now() / 1000) / 3600).toBeCloseTo(49, 1);
  }
});

it("a response has the variants of the earlier attempt, although its record moves while it is read", async () => {
  const feature = await addFeature(burgee, inDevelopment);
  await fill(feature);
  const send = () => burgee.patch(feature, adding("red"), withKey("one"));
  burgee.wire.beforeFirst(isOfRecord, async () => {
    await send();
    await fill(feature, 21, "later");
  });

  const { status, json, headers } = await send();

  expect(status).toBe(200);
  expect(json.variants.map(({ name }: { name: string }) => name)).toEqual(["blue", "red"]);
  expect(headers.etag).toBe(await burgee.etag(feature));
});
