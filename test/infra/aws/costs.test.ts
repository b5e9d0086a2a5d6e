/** What a request costs: the units that the engine counts for it, and what the operations page makes of them. */
import { readFileSync } from "node:fs";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, expect, it } from "vitest";
import { findStage } from "../../../infra/aws/settings.ts";
import { environmentKey, toStoredChange } from "../../../lib/store/items.ts";
import { bill, idlePipes, tableCeiling, type Units } from "../../support/bill.ts";
import { useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { replace, times } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";
import type { Call } from "../../support/wire.ts";

const page = readFileSync("docs/OPERATIONS.md", "utf8");
const burgee = useBurgee();

beforeAll(async () => {
  const variants = ["blue", "green"].map((name) => variant(name, { weight: 500 }));
  const environments = { development: variants, staging: variants, production: variants };
  await addFeature(burgee, { name: "checkout", tags: [tag("team-a")], environments });
  // By now its environments list as many changes as they can: that is what they weigh from then on.
  for (let time = 0; time < 20; time++) await patch(`before-${time}`);
  await addTags("before");
});

const patch = (value: string, options = {}) =>
  burgee.patch("checkout", [replace("/0/stickiness", value)], options);
const patchWithKey = (key: string) => patch(key, { headers: { "idempotency-key": key } });
const addTags = (...values: string[]) =>
  burgee.putTags("checkout", { addedTags: values.map((value) => tag(value)), removedTags: [] });
const isWrite = ({ operation }: Call) => operation === "UpdateItem";

/** Of the calls since the wire was reset. */
function units(): Units {
  const sum = (calls: readonly Call[]) => calls.reduce((total, call) => total + call.units, 0);
  const writes = burgee.wire.calls.filter(isWrite);
  return { read: sum(burgee.wire.calls) - sum(writes), write: sum(writes) };
}

it.each([
  ["a tag update", () => addTags("one"), { read: 0, write: 1 }],
  ["a tag update with two empty lists", () => addTags(), { read: 1, write: 0 }],
  ["a patch of 3 environments", () => patch("two"), { read: 1, write: 6 }],
  ["a patch that changes nothing", () => patch("two"), { read: 1, write: 0 }],
  ["a patch of one environment", () => patch("2b", { environment: "production" }), { read: 2, write: 2 }],
  ["a patch of 3 environments with an idempotency key", () => patchWithKey("first"), { read: 1, write: 6 }],
  ["a read of tags", () => burgee.getTags("checkout"), { read: 1, write: 0 }],
  ["a read of variants", () => burgee.getVariants("checkout"), { read: 1, write: 0 }],
])("the operations page has the request units of %s", async (what, ask, expected) => {
  await ask();

  expect(units()).toEqual(expected);
  expect(page).toContain(`| ${what} | ${expected.read} | ${expected.write} |`);
});

it("a conflict costs the units of one more write of that environment, as a condition that fails is paid for too", async () => {
  burgee.wire.beforeFirst(isWrite, () => patch("other"));
  await patch("three");

  expect(burgee.wire.calls.filter((call) => isWrite(call) && call.units === 0)).toHaveLength(1);
  expect(page).toContain("| each conflict | 0 | 2 |");
});

it("the page's bill is what these units and the published prices come to", async () => {
  await addTags("four");
  await patch("four");
  const bytes = log.map((line) => JSON.stringify(line).length).reduce((sum, length) => sum + length, 0);

  const rows = bill({ units: units(), requests: 2, logBytes: bytes });

  for (const row of rows) expect.soft(page).toContain(row);
});

it("the page says what idle pipes cost, and the table at its ceilings", () => {
  const { maxReadUnits, maxWriteUnits } = findStage({ stage: "prod" }).settings;
  const day = tableCeiling({ read: maxReadUnits, write: maxWriteUnits });

  expect(page).toContain(
    `${idlePipes(1).toFixed(2)} (one shard) to ${idlePipes(4).toFixed(2)} dollars (four)`,
  );
  expect(page).toContain(`${Math.round(day)} dollars a day`);
});

it.each([
  ["a patch of one environment with 10 changes, 3 variants and a key", 0],
  ["the same, where it remembers 300 keys", 300],
  ["the same, where it remembers 1,000 keys", 1000],
])("the operations page has the write units of %s", async (what, keys) => {
  const list = ["blue", "green", "red"].map((name) => variant(name, { weight: name === "blue" ? 334 : 333 }));
  const feature = await addFeature(burgee, { environments: { production: list } });
  const patchOnce = (value: string, headers = {}) =>
    burgee.patch(feature, [replace("/0/stickiness", value)], { environment: "production", headers });
  for (let time = 0; time < 10; time++) await patchOnce(`before-${time}`);
  const { changes = [] } = await burgee.storedEnvironment(feature, "production");
  const remembered = times(keys, (index): string => {
    const id = String(index).padStart(11, "k");
    return toStoredChange({
      ...{ id, key: id, by: `ci-${index % 4}`, revision: 1 },
      at: new Date().toISOString(),
    });
  });
  await setChanges(feature, [...changes, ...remembered.slice(1)]);
  burgee.wire.reset();

  await patchOnce("after", { "idempotency-key": "one" });

  const { read, write } = units();
  expect(page).toContain(`| ${what} | ${read} | ${write} |`);
  if (keys === 0) expect(write).toBeLessThanOrEqual(3);
});

async function setChanges(feature: string, changes: readonly string[]): Promise<void> {
  const update = new UpdateCommand({
    TableName: burgee.session.table,
    Key: environmentKey(feature, "production"),
    UpdateExpression: "SET changes = :changes",
    ExpressionAttributeValues: { ":changes": changes },
  });
  await burgee.session.send(update);
}
