/** What a request costs: the units that the engine counts for it, and what the operations page makes of them. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { bill, ceiling, type Units } from "../../support/bill.ts";
import { useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { replace } from "../../support/patching.ts";

const environments = ["development", "staging", "production"];
const variants = ["blue", "green"].map((name) => ({ name, weight: 500 }));

const burgee = useBurgee({
  projects: [{ id: "default", environments }],
  features: [
    {
      name: "checkout",
      project: "default",
      tags: [{ type: "simple", value: "team-a" }],
      environments: Object.fromEntries(environments.map((environment) => [environment, { variants }])),
    },
  ],
});

beforeAll(async () => {
  // By now its environments remember as many writes as they can: that is what they weigh from then on.
  for (let time = 0; time < 20; time++) await patch(`before-${time}`);
  await tag("before");
});

const patch = (value: string) => burgee.patch("checkout", [replace("/0/stickiness", value)]);
const tag = (value: string) =>
  burgee.putTags("checkout", { addedTags: [{ type: "simple", value }], removedTags: [] });

function units(): Units {
  const sum = (isWrite: boolean) =>
    burgee.wire.calls
      .filter(({ operation }) => (operation === "UpdateItem") === isWrite)
      .reduce((total, call) => total + call.units, 0);
  return { read: sum(false), write: sum(true) };
}

const page = readFileSync("infra/OPERATIONS.md", "utf8");

describe("the operations page says how many request units a request takes:", () => {
  it.each([
    ["a tag update", () => tag("one"), { read: 0, write: 1 }],
    ["a tag update that changes nothing", nothing, { read: 1, write: 0 }],
    ["a patch of 3 environments", () => patch("two"), { read: 1, write: 3 }],
    ["a patch that changes nothing", () => patch("two"), { read: 1, write: 0 }],
    ["a patch of one environment", () => patchProduction("two-b"), { read: 2, write: 1 }],
    ["a read of tags", () => burgee.getTags("checkout"), { read: 1, write: 0 }],
    ["a read of variants", () => burgee.getVariants("checkout"), { read: 1, write: 0 }],
  ])("%s", async (what, ask, expected) => {
    await ask();

    expect(units()).toEqual(expected);
    expect(page).toContain(`| ${what} | ${expected.read} | ${expected.write} |`);
  });

  it("each conflict: one write more of that environment, as a condition that fails is paid for too", async () => {
    burgee.wire.beforeFirst(
      ({ operation }) => operation === "UpdateItem",
      () => patch("other"),
    );
    await patch("three");

    const failed = burgee.wire.calls.filter(
      ({ operation, units }) => operation === "UpdateItem" && units === 0,
    );
    expect(failed).toHaveLength(environments.length);
    expect(page).toContain("| each conflict | 0 | 1 |");
  });
});

async function patchProduction(value: string) {
  await burgee.patch("checkout", [replace("/0/stickiness", value)], { environment: "production" });
}

async function patchWithKey(value: string) {
  await burgee.patch("checkout", [replace("/0/stickiness", value)], {
    headers: { "idempotency-key": value },
  });
}

async function nothing() {
  await burgee.putTags("checkout", { addedTags: [], removedTags: [] });
}

it("the page's bill is what these units and the published prices come to", async () => {
  await tag("four");
  await patch("four");
  const bytes = log.map((line) => JSON.stringify(line).length).reduce((sum, length) => sum + length, 0);

  const rows = bill({ units: units(), requests: 2, logBytes: bytes });
  const stages = parse(readFileSync("infra/stages.yml", "utf8"), { merge: true });
  const deployed = Object.keys(stages).filter((name) => name !== "local");
  const ceilings = deployed.map((name) => ceiling(name, stages[name], bytes / 2));

  for (const row of [...rows, ...ceilings]) expect.soft(page).toContain(row);
});

describe("the page says what an idempotency key costs", () => {
  it("in environments that remember fewer than 20", async () => {
    await patchWithKey("first");

    expect(units()).toEqual({ read: 1, write: 3 });
    expect(page).toContain("| a patch of 3 environments with an idempotency key | 1 | 3 |");
  });

  it("in environments that have remembered more, where every tenth patch moves ten older keys out", async () => {
    for (let time = 0; time < 20; time++) await patchWithKey(`before-${time}`);
    burgee.wire.reset();

    for (let time = 0; time < 10; time++) await patchWithKey(`m${time}`);

    // The engine counts nothing for a query that finds nothing; DynamoDB charges one unit.
    const queries = burgee.wire.calls.filter(({ operation }) => operation === "Query");
    expect({ read: queries.length / 10, write: units().write / 10 }).toEqual({ read: 2, write: 6 });
    expect(page).toContain("| the same, after 20 of them, on average | 2 | 6 |");
  });
});
