/** What a request costs: the units that the engine counts for it, and what the operations page makes of them. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bill, type Units } from "../../support/bill.ts";
import { type Burgee, openBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { replace } from "../../support/patching.ts";
import type { Fate } from "../../support/wire.ts";

const environments = ["development", "staging", "production"];
const variants = ["blue", "green"].map((name) => ({ name, weight: 500 }));

let burgee: Burgee;

beforeAll(async () => {
  burgee = await openBurgee({
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
  // By now its environments remember as many writes as they can: that is what they weigh from then on.
  for (let time = 0; time < 20; time++) await patch(`before-${time}`);
  await tag("before");
});
beforeEach(() => burgee.wire.reset());
afterAll(() => burgee.wire.close());

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
    ["a tag update that asks for nothing", nothing, { read: 1, write: 0 }],
    ["a patch of 3 environments", () => patch("two"), { read: 1, write: 6 }],
    ["a patch that changes nothing", () => patch("two"), { read: 1, write: 0 }],
    ["a patch of one environment", () => patchProduction("two-b"), { read: 2, write: 2 }],
    ["a read of tags", () => burgee.getTags("checkout"), { read: 1, write: 0 }],
    ["a read of variants", () => burgee.getVariants("checkout"), { read: 1, write: 0 }],
  ])("%s", async (what, ask, expected) => {
    await ask();

    expect(units()).toEqual(expected);
    expect(page).toContain(`| ${what} | ${expected.read} | ${expected.write} |`);
  });

  it("each conflict: one write more of that environment, as a condition that fails is paid for too", async () => {
    let isFirst = true;
    burgee.wire.decide(async ({ operation }): Promise<Fate> => {
      if (operation !== "UpdateItem" || !isFirst) return "pass";
      isFirst = false;
      await patch("other");
      return "pass";
    });
    await patch("three");

    const failed = burgee.wire.calls.filter(
      ({ operation, units }) => operation === "UpdateItem" && units === 0,
    );
    expect(failed).toHaveLength(environments.length);
    expect(page).toContain("| each conflict | 0 | 2 |");
  });
});

async function patchProduction(value: string) {
  await burgee.patch("checkout", [replace("/0/stickiness", value)], { environment: "production" });
}

async function patchWithKeys() {
  for (let time = 0; time <= 20; time++) {
    burgee.wire.reset();
    await burgee.patch("checkout", [replace("/0/stickiness", `keyed-${time}`)], {
      headers: { "idempotency-key": `release-${time}` },
    });
  }
}

async function nothing() {
  await burgee.putTags("checkout", { addedTags: [], removedTags: [] });
}

it("the page's bill is what these units and the published prices come to", async () => {
  await tag("four");
  await patch("four");
  const bytes = log.map((line) => JSON.stringify(line).length).reduce((sum, length) => sum + length, 0);

  const rows = bill({ units: units(), requests: 2, logBytes: bytes });

  for (const row of rows) expect(page).toContain(row);
});

it("the page says what the memory of idempotency keys adds", async () => {
  await patchWithKeys();

  expect(units()).toEqual({ read: 2, write: 9 });
  expect(page).toContain("| a patch of 3 environments that remember 20 idempotency keys | 2 | 9 |");
});
