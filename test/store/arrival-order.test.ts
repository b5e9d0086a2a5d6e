/** A request pauses for those that began before it; this never decides what is written. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { environmentKey } from "../../lib/store/items.ts";
import { useBurgee } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { addFeature } from "../support/seed.ts";

const burgee = useBurgee({});
const project = "ordered";
const environments = { production: [] };
const adding = (name: string) => [add("/-", { name, weight: 1 })];

/** Adds a change of a request that began so many milliseconds ago. */
async function changeAt(feature: string, msAgo: number): Promise<void> {
  const update = new UpdateCommand({
    TableName: burgee.session.table,
    Key: environmentKey(feature, "production"),
    UpdateExpression: "SET changes = :changes ADD revision :one",
    ExpressionAttributeValues: {
      ":changes": [JSON.stringify(["other", Date.now() - msAgo, "ci", 2])],
      ":one": 1,
    },
  });
  await burgee.session.send(update);
}

/** Adds a feature. The next patch meets a change of a request that began before it, and then, while it pauses, this. */
async function addContested(happens = async (_: string): Promise<unknown> => undefined): Promise<string> {
  const feature = await addFeature(burgee, { project, environments });
  const events = [() => changeAt(feature, 100), () => happens(feature)];
  const expected = ["UpdateItem", "GetItem"];
  burgee.wire.decide(async ({ operation }): Promise<"pass"> => {
    if (operation !== expected[0]) return "pass";
    expected.shift();
    await events.shift()?.();
    return "pass";
  });
  return feature;
}

it("a patch that meets a change of an earlier request reads once more, and is stored", async () => {
  const feature = await addContested();

  expect((await burgee.patch(feature, adding("blue"), { project })).status).toBe(200);

  const operations = burgee.wire.calls.map(({ operation }) => operation);
  expect(operations.slice(-5)).toEqual(["Query", "UpdateItem", "UpdateItem", "GetItem", "UpdateItem"]);
  expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 3 });
});

it("a patch that meets a change of a later request does not read again", async () => {
  const feature = await addFeature(burgee, { project, environments });
  burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    () => changeAt(feature, -100),
  );

  expect((await burgee.patch(feature, adding("blue"), { project })).status).toBe(200);

  const operations = burgee.wire.calls.map(({ operation }) => operation);
  expect(operations.slice(-4)).toEqual(["Query", "UpdateItem", "UpdateItem", "UpdateItem"]);
});

describe("after a pause", () => {
  it.each<[string, (feature: string) => Promise<unknown>]>([
    ["deleted", (feature) => burgee.remove(environmentKey(feature, "production"))],
    ["created again", (feature) => addFeature(burgee, { name: feature, project, environments })],
  ])("a feature that was %s is 404", async (_, happens) => {
    const feature = await addContested(happens);

    const { status, json } = await burgee.patch(feature, adding("blue"), { project });

    expect([status, json.message]).toEqual([404, expect.stringContaining("was deleted")]);
  });

  it.each([
    ["the same patch is not applied again", adding("blue"), 200],
    ["another patch is refused", adding("red"), 409],
  ])("after an earlier attempt with its idempotency key was stored, %s", async (_, earlier, expected) => {
    const withKey = (feature: string) => ({ project, headers: { "idempotency-key": feature } });
    const feature = await addContested((name) => burgee.patch(name, earlier, withKey(name)));

    const { status } = await burgee.patch(feature, adding("blue"), withKey(feature));

    expect(status).toBe(expected);
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 3 });
  });
});
