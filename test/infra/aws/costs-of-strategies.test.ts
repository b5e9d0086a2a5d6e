/** What changes of one environment cost beside its strategies: the units that the engine counts, and the bytes sent to it. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../lib/contract/limits.ts";
import type { Strategy } from "../../../lib/contract/strategies.ts";
import { type Burgee, openBurgee, type Response } from "../../support/burgee.ts";
import { replace, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const page = readFileSync("docs/COSTS.md", "utf8");
let burgee: Burgee;
beforeEach(async () => {
  burgee = await openBurgee();
});
afterEach(() => burgee.wire.close());

const production = { environment: "production" };
const under = (guard: string) => ({ headers: { "burgee-guard": guard } });
const kibibytes = [0, 2, 100];

/** User ids of 12 digits: 15 bytes each, as JSON. */
const users = (count: number) =>
  times(count, (index) => String(100_000_000_000 + ((index * 7_919_777) % 1e9)));

/** One that 10 % get, and of the users one that all of them get. */
function strategiesOf(kib: number): Omit<Strategy, "variants">[] {
  const rollout = {
    ...{ id: "s1", name: "flexibleRollout", sortOrder: 0, constraints: [] },
    parameters: { rollout: "10", stickiness: "userId", groupId: "checkout" },
  };
  const values = users(Math.floor((kib * 1024) / 15));
  const halves = [values.slice(0, values.length / 2), values.slice(values.length / 2)];
  const constraints = halves.map((values) => ({ contextName: "userId", operator: "IN" as const, values }));
  const given = { id: "s2", name: "default", sortOrder: 1, parameters: {}, constraints };
  return kib === 0 ? [rollout] : [rollout, given];
}

async function addFeatureWith(kib: number): Promise<string> {
  const variants = ["blue", "green"].map((name) => variant(name, { weight: 500 }));
  const name = `checkout-${kib}`;
  await addFeature(burgee, { name, environments: { production: variants } });
  for (const { id, ...strategy } of strategiesOf(kib)) {
    const value = { ...strategy, variants: {} };
    await burgee.patchFeature(name, [{ op: "add", path: `/strategies/${id}`, value }], production);
  }
  // By now its environment lists as many changes as it can, and switches alone: that is what it weighs from then on.
  for (const count of times(3 * limits.carriedChanges + 1, (index) => index)) await switchTo(name, count);
  return name;
}

const switchTo = (name: string, count: number, options = {}) =>
  burgee.switch(name, count % 2 ? "off" : "on", { ...production, ...options });
const patchVariants = (name: string, count: number) =>
  burgee.patchVariants(name, [replace("/0/stickiness", `s${count}`)], production);
const patchRollout = (name: string, count: number) =>
  burgee.patchFeature(
    name,
    [{ op: "replace", path: "/strategies/s1/parameters/rollout", value: String(20 + count) }],
    production,
  );
const trip = (guard: string) =>
  burgee.send({
    method: "POST",
    path: `/api/admin/projects/default/environments/production/guards/${guard}/trip`,
  });

/** The mean of as many requests as fill an environment with changes: only one of them makes items of them. */
async function meanOf(ask: (count: number) => Promise<Response>, before = async (_: number) => {}) {
  let [units, bytes] = [0, 0];
  for (const count of times(limits.carriedChanges, (index) => index)) {
    await before(count);
    burgee.wire.reset();
    const { status, json } = await ask(count);
    expect([status, json.features?.length ?? 1]).toEqual([200, 1]);
    const writes = burgee.wire.calls.filter(({ operation }) => /^(Update|BatchWrite)/.test(operation));
    units += writes.reduce((sum, call) => sum + call.units, 0);
    bytes += writes.reduce((sum, { input }) => sum + Buffer.byteLength(JSON.stringify(input)), 0);
  }
  const mean = (sum: number) => Math.round((sum / limits.carriedChanges) * 10) / 10;
  return { units: mean(units), bytes: mean(bytes) };
}

interface Cost {
  units: number;
  bytes: number;
}

const cell = ({ units, bytes }: Cost) => `${units} · ${Math.round(bytes / 1024)} KB`;

describe("beside 0, 2 and 100 KB of strategies the operations page has what is written by", () => {
  it.each<[string, (name: string) => Promise<Cost>]>([
    ["a switch", (name) => meanOf((count) => switchTo(name, count))],
    ["a patch of its variants", (name) => meanOf((count) => patchVariants(name, count))],
    ["a patch of a rollout", (name) => meanOf((count) => patchRollout(name, count))],
    ["a switch under a guard", (name) => meanOf((count) => switchTo(name, count, under(`${name}-${count}`)))],
    [
      "a trip that undoes a switch",
      (name) =>
        meanOf(
          (count) => trip(`${name}-t${count}`),
          async (count) => void (await switchTo(name, 0, under(`${name}-t${count}`))),
        ),
    ],
  ])("%s", async (what, measure) => {
    const costs = [];
    for (const kib of kibibytes) costs.push(await measure(await addFeatureWith(kib)));
    const row = `| ${what} | ${costs.map(cell).join(" | ")} |`;

    expect(page).toContain(row);
  });
});
