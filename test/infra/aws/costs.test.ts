/** What a request costs: the units that the engine counts for it, and what the operations page makes of them. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parse } from "yaml";
import { scanTable } from "../../../infra/store/read-table.ts";
import { limits } from "../../../lib/contract/limits.ts";
import {
  bill,
  dataOut,
  guards,
  idlePipes,
  million,
  prices,
  type Sample,
  tableCeiling,
  type Units,
} from "../../support/bill.ts";
import { type Burgee, openBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { replace, times } from "../../support/patching.ts";
import { addFeature, featureOf, projectOf, tag, variant } from "../../support/seed.ts";
import { type Call, isUpdate } from "../../support/wire.ts";

const page = ["docs/COSTS.md", "docs/OPERATIONS.md"].map((file) => readFileSync(file, "utf8")).join("\n");
/** The settings of prod. */
const defaults = parse(readFileSync("serverless.yml", "utf8"), { merge: true }).params.default;

let burgee: Burgee;

beforeEach(async () => {
  burgee = await openBurgee();
  const variants = ["blue", "green"].map((name) => variant(name, { weight: 500 }));
  const environments = { development: variants, staging: variants, production: variants };
  await addFeature(burgee, { name: "checkout", tags: [tag("team-a")], environments });
  // By now its environments list as many changes as they can: that is what they weigh from then on.
  for (let time = 0; time < 20; time++) await patch(`before-${time}`);
  await addTags("before");
  await listFeatures();
  burgee.wire.reset();
  log.length = 0;
});
afterEach(() => burgee.wire.close());

const patch = (value: string, options = {}) =>
  burgee.patchVariants("checkout", [replace("/0/stickiness", value)], options);
const patchWithKey = (key: string) => patch(key, { headers: { "idempotency-key": key } });
const addTags = (...values: string[]) =>
  burgee.putTags("checkout", { addedTags: values.map((value) => tag(value)), removedTags: [] });
const listFeatures = () =>
  burgee.send({ method: "GET", path: "/api/admin/projects/default/features?with=environments" });
const isWrite = (call: Call) => isUpdate(call) || call.operation === "BatchWriteItem";

/** Of the calls since the wire was reset. */
function units(): Units {
  const sum = (calls: readonly Call[]) => calls.reduce((total, call) => total + call.units, 0);
  const writes = burgee.wire.calls.filter(isWrite);
  return { read: sum(burgee.wire.calls) - sum(writes), write: sum(writes) };
}

/** The mean of as many requests as fill an environment with changes: only one of them makes items of them. */
async function meanUnits(ask: (count: number) => Promise<unknown>): Promise<Units> {
  for (const count of times(limits.carriedChanges, (index) => index)) await ask(count);
  const mean = (sum: number) => Math.round((sum / limits.carriedChanges) * 10) / 10;
  const { read, write } = units();
  return { read: mean(read), write: mean(write) };
}

/** The row of a request on the page, with the dollars for a million of it. */
const rowOf = (what: string, { read, write }: Units) =>
  `| ${what} | ${read} | ${write} | ${(write * prices.write + read * prices.read).toFixed(1)} |`;

it.each([
  ["a tag update", (count: number) => addTags(`one-${count}`), { read: 1, write: 2 }],
  ["a patch of 3 environments", (count: number) => patch(`two-${count}`), { read: 1.7, write: 12 }],
  [
    "a patch of one environment",
    (count: number) => patch(`2b-${count}`, { environment: "production" }),
    { read: 2, write: 4 },
  ],
  ["a read of variants", () => burgee.getVariants("checkout"), { read: 2, write: 0 }],
  ["a list of features with 3 environments", () => listFeatures(), { read: 3, write: 0 }],
  ["a list of changes", () => burgee.getChanges("checkout"), { read: 56, write: 0 }],
])("the operations page has the request units of %s", async (what, ask, expected) => {
  expect(await meanUnits(ask)).toEqual(expected);
  expect(page).toContain(rowOf(what, expected));
});

it.each([
  ["a read of tags", () => burgee.getTags("checkout"), { read: 1, write: 0 }],
  ["a tag update with two empty lists", () => addTags(), { read: 1, write: 0 }],
  ["a patch that changes nothing", () => burgee.patchVariants("checkout", []), { read: 2, write: 0 }],
  [
    "a patch of 3 environments with an idempotency key",
    (count: number) => patchWithKey(`first-${count}`),
    { read: 1.7, write: 12 },
  ],
])("counts the units of %s, which the page leaves out", async (_, ask, expected) => {
  expect(await meanUnits(ask)).toEqual(expected);
});

it.each([
  [5, 300],
  [10, 1000],
])(
  "the page says what a patch of 3 environments with %d variants of %d bytes each costs",
  async (count, bytes) => {
    const value = "x".repeat(bytes);
    const variants = times(count, (index) =>
      variant(`v${index}`, { weight: 1000 / count, payload: { type: "string", value } }),
    );
    const environments = { development: variants, staging: variants, production: variants };
    const name = await addFeature(burgee, { name: `payloads-${count}`, environments });
    const change = (to: string) => burgee.patchVariants(name, [replace("/0/stickiness", to)]);
    for (let time = 0; time < 20; time++) await change(`before-${time}`);
    burgee.wire.reset();

    const mean = await meanUnits((time) => change(`p-${time}`));

    const what = `a patch of 3 environments of ${count} variants of ${bytes} bytes each`;
    expect(page).toContain(rowOf(what, mean));
  },
);

it("a conflict costs the units of one more write of that environment and of the change before it, as a condition that fails is paid for too", async () => {
  burgee.wire.beforeFirst(isUpdate, () => patch("other", { environment: "development" }));
  await patch("three");

  expect(burgee.wire.calls.filter((call) => isUpdate(call) && call.units === 0)).toHaveLength(1);
  expect(page).toContain(rowOf("each conflict", { read: 1, write: 2 }));
});

it("the page's bill is what these units and the published prices come to", async () => {
  const mean = await meanUnits(async (count) => {
    await addTags(`four-${count}`);
    await patch(`four-${count}`);
  });
  const bytes = log.map((line) => JSON.stringify(line).length).reduce((sum, length) => sum + length, 0);

  const rows = bill({ units: mean, requests: 2, logBytes: bytes / limits.carriedChanges });

  for (const row of rows) expect.soft(page).toContain(row);
});

it("the page says what a million polls of SDKs cost, of a document that is kept and of one that is made again", async () => {
  const variants = ["a", "b", "c"].map((name) => variant(name, { weight: name === "a" ? 334 : 333 }));
  const features = times(100, (index) =>
    featureOf(`feature-${index}`, { production: variants }, { project: "shop" }),
  );
  await burgee.store({ projects: [projectOf("shop", "production")], features });
  const path = "/api/projects/shop/environments/production/client/features";
  const poll = async (etag = ""): Promise<[etag: string, Sample]> => {
    burgee.wire.reset();
    log.length = 0;
    const { headers } = await burgee.send({ method: "GET", path, headers: { "if-none-match": etag } });
    const logBytes = JSON.stringify(log[0]).length;
    return [headers.etag ?? "", { units: units(), requests: 1, logBytes }];
  };

  // The function has the key cached by then.
  await burgee.send({ method: "GET", path: "/api/admin/projects" });
  const [etag, made] = await poll();
  const [, kept] = await poll(etag);

  const costs = [kept, made].map((sample) => million(sample).toFixed(2));
  expect(kept.units).toEqual({ read: 0, write: 0 });
  expect(page).toContain(`A million polls cost ${costs[0]} dollars while a function keeps the document`);
  burgee.wire.reset();
  log.length = 0;
  const metrics = path.replace("features", "metrics");
  await burgee.send({ method: "POST", path: metrics, body: "{}" });
  const sent = { units: units(), requests: 1, logBytes: JSON.stringify(log[0]).length };
  // Each SDK polls every 15 seconds, and sends metrics every 60.
  const minutes = (60 * 24 * 30) / 1e6;
  const [polls, all] = [4 * million(kept), 4 * million(kept) + million(sent)];
  const dollars = (count: number, each: number) => Math.round(count * minutes * each).toLocaleString("en-US");
  expect
    .soft(page)
    .toContain(
      `750 SDKs that poll every 15 seconds cost ${dollars(750, all)} dollars a month, or ${dollars(750, polls)} without metrics`,
    );
  expect
    .soft(page)
    .toContain(
      `10,000 pods cost ${dollars(10_000, all)} dollars a month, and 1,000 cost ${dollars(1000, all)}`,
    );
  // A relay asks every 5 seconds, when the function makes the document again.
  expect
    .soft(page)
    .toContain(`a relay costs ${(12 * minutes * million(made)).toFixed(2)} dollars for each document`);
  const fit = Math.floor(defaults.pollRate / (1 / 15 + 1 / 60));
  expect.soft(page).toContain(`${defaults.pollRate} requests a second: ${fit.toLocaleString("en-US")} SDKs`);
  const makings = (86_400 / 5) * 30;
  const eachSandbox = ((makings * made.units.read * prices.read) / 1e6).toFixed(2);
  expect(page).toContain(`saves at most ${eachSandbox} dollars a month for each document`);
  const readAtOnce = 100 * made.units.read;
  const once = `${made.units.read} read units for 100 features without payloads, so 100 sandboxes use ${readAtOnce} of the`;
  expect.soft(page).toContain(once);
  expect.soft(page).toContain(`one second, for ${((readAtOnce * prices.read) / 1e6).toFixed(4)} dollars`);
  expect(page).toContain(`${costs[1]} if each makes one of 100 features again (${made.units.read} read`);
});

it("the page says what guards cost, idle pipes, and the table at its ceilings", () => {
  expect(page).toContain(`cost ${guards.toFixed(2)} dollars a month, for a secret and an alarm`);
  const { readUnits, writeUnits } = defaults;
  // The index has the same ceilings.
  const day = 2 * tableCeiling({ read: readUnits, write: writeUnits });

  expect(page).toContain(
    `${idlePipes(1).toFixed(2)} (one shard) to ${idlePipes(4).toFixed(2)} dollars (four)`,
  );
  expect(page).toContain(`${Math.round(day)} dollars a day`);
});

it("the page says what data out costs at worst, and how many patches and lists of changes the ceilings permit", () => {
  const { rate, pollRate, readUnits, writeUnits } = defaults;
  // Documents have two paths; lists of changes have two, and that of features has one.
  const largest = 2 * dataOut(pollRate, limits.responseBytes) + 3 * dataOut(rate, limits.responseBytes);
  const shared = dataOut(Math.max(rate, pollRate), limits.responseBytes);
  const dollars = (cost: number) => Math.round(cost).toLocaleString("en-US");
  const [, reads] = /\| a list of changes \| (\d+) /.exec(page) ?? [];
  const [, writes] = /\| a patch of 3 environments \| \S+ \| (\d+) /.exec(page) ?? [];
  // The index, which has a ceiling of its own, has one of each environment's units.
  const patches = Math.floor(writeUnits / (Number(writes) - 3));
  expect(page).toContain(
    `Of the ${writes} write units of a patch of 3 environments, ${Number(writes) - 3} are`,
  );
  const lists = Math.floor(readUnits / Number(reads));

  expect(page).toContain(
    `at worst, ${dollars(largest)} dollars a day in prod, or ${dollars(shared)} if paths share`,
  );
  expect(page).toContain(`Dry runs are at most ${limits.previewBytes / 1e6} MB`);
  expect(page).toContain(`${patches} patches of 3 environments, ${lists} lists of changes`);
});

it("the page says for how long a command that reads the whole table uses up its ceiling", async () => {
  burgee.wire.reset();
  const items = await scanTable(burgee.session);
  const mebibytes = Buffer.byteLength(JSON.stringify(items)) / 1024 ** 2;
  // A consistent read of 4 KiB takes a unit. As JSON an item is somewhat longer than in the table.
  const perMebibyte = 1024 / 4;
  expect(units().read / mebibytes).toBeGreaterThan(0.7 * perMebibyte);
  expect(units().read / mebibytes).toBeLessThan(1.1 * perMebibyte);

  const seconds = Math.round((100 * perMebibyte) / defaults.readUnits);

  expect(page).toContain(`of 30 days: ${perMebibyte} read units for each MB.`);
  expect(page).toContain(`100 MB use all of prod's for ${seconds} seconds`);
});

it("the page says how many writes of one feature a partition permits", async () => {
  // AWS's limit, in units a second.
  const partition = 1000;
  const most = async (ask: () => Promise<unknown>) => {
    burgee.wire.reset();
    await ask();
    // The unit of the index is on another partition.
    const inTable = burgee.wire.calls.filter(isUpdate).map(({ units }) => units - 1);
    const written = inTable.reduce((sum, units) => sum + units, 0);
    return Math.floor(partition / written).toLocaleString("en-US");
  };

  const updates = await most(() => addTags("partition"));
  const patches = await most(() => patch("partition"));

  expect(page).toContain(`${updates} tag updates of one feature, or ${patches} patches of 3 environments`);
});

// The lists of an environment are full before the 60th request.
it.each([1, 10, 60])(
  "a patch costs the same after %i requests with idempotency keys",
  async (count) => {
    for (const index of times(count, (index) => index)) await patchWithKey(`${count}-${index}`);
    burgee.wire.reset();

    expect(await meanUnits((index) => patch(`after-${count}-${index}`))).toEqual({ read: 1.7, write: 12 });
  },
  60_000,
);
