/** Many changes, over a month, by servers whose clocks differ: what a retry and an undo find of them. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "../../../lib/contract/limits.ts";
import { changeTableKey } from "../../../lib/store/items/items.ts";
import { type Place, type Request, type Response, useBurgee } from "../../support/burgee.ts";
import { add, remove, replace, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

type Options = Partial<Request> & Place;

const burgee = useBurgee();

const lists = { development: [variant("blue")], production: [variant("blue")] };
const inDevelopment = { environment: "development" };
const inProduction = { environment: "production" };
const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
const stick = (text: string) => [replace("/0/stickiness", text)];
/** Applied twice it would be refused. */
const addRed = [add("/-", { name: "red", weight: 1 })];
const hourMs = 3_600_000;
const days = (count: number) => 24 * count;

let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, { environments: lists });
});

const changeOf = ({ headers }: Response) => headers["burgee-change"] ?? "";
const undo = (change: string, options?: Options) => burgee.undo(feature, change, options);

async function patch(operations: unknown, options: Options = {}): Promise<string> {
  const answer = await burgee.patchVariants(feature, operations, options);
  expect(answer.status).toBe(200);
  return changeOf(answer);
}

async function patchTimes(count: number, options?: Options): Promise<void> {
  for (const index of times(count, (index) => index)) await patch(stick(`s${index}`), options);
}

const stored = () => Promise.all(Object.keys(lists).map((name) => burgee.storedEnvironment(feature, name)));
const revisions = async () => (await stored()).map(({ revision }) => revision);
const variants = async () => (await stored()).map((item) => JSON.stringify(item.variants));

/** So many hours later, or by a server whose clock is ahead by as many. */
async function inHours<Result>(hours: number, run: () => Promise<Result>): Promise<Result> {
  vi.setSystemTime(Date.now() + hours * hourMs);
  try {
    return await run();
  } finally {
    vi.useRealTimers();
  }
}

describe("by servers whose clocks differ", () => {
  it.each([30, 180])("no environment is left out of an undo, by %i seconds", async (seconds) => {
    const change = await inHours(seconds / 3600, () => patch(addRed));
    await patchTimes(25, inDevelopment);
    const before = await revisions();

    const { status, json } = await undo(change);

    expect([status, json.code]).toEqual([409, "cannot-undo"]);
    expect(await revisions()).toEqual(before);
  });

  it("a retry after 24 hours is not applied again", async () => {
    const first = await patch(stick("first"), withKey("one"));
    await patchTimes(25);
    await inHours(24.2 + 0.9, () => patch(stick("later")));
    const before = await revisions();

    const again = await inHours(24.3, () => burgee.patchVariants(feature, stick("first"), withKey("one")));

    expect([again.status, changeOf(again)]).toEqual([200, first]);
    expect(await revisions()).toEqual(before);
  });
});

it("a large change that was undone does not keep an older one from being undone", async () => {
  const payload = { type: "string", value: "x".repeat(60_000) };
  await patch([add("/0/payload", payload)]);
  const before = await variants();
  const older = await patch(stick("userId"));
  await undo(await patch([remove("/0/payload")]));

  expect((await undo(older)).status).toBe(200);
  expect(await variants()).toEqual(before);
});

it("an environment does not grow while its newest change is undone and made again", async () => {
  let newest = await patch(addRed, { ...withKey("one"), ...inProduction });
  const toggle = async () => {
    const undone = await undo(newest, inProduction);
    // An undo cannot be undone.
    newest = undone.status === 200 ? changeOf(undone) : await patch(addRed, inProduction);
  };
  const sizeAfter = async (toggles: number) => {
    for (const _ of times(toggles, () => 0)) await toggle();
    return JSON.stringify(await burgee.storedEnvironment(feature, "production")).length;
  };

  const size = await sizeAfter(25);

  expect((await sizeAfter(30)) - size).toBeLessThan(100);
});

it("60 requests with keys are accepted in one environment, and the first is recognised after them", async () => {
  const send = (index: number) => patch(stick(`s${index}`), { ...withKey(`k${index}`), ...inProduction });
  const made: string[] = [];
  for (const index of times(60, (index) => index)) made.push(await send(index));

  expect(await send(0)).toBe(made[0]);
  expect(await revisions()).toEqual([1, 61]);
});

it.each([
  ["small", 5],
  ["large", 5_000],
])(
  "25 changes with %s payloads are undone one after the other, byte by byte",
  {
    timeout: 60_000,
  },
  async (_, length) => {
    const payload = (index: number) => ({ type: "string", value: `${index} ${"ü".repeat(length)}` });
    const states = [await variants()];
    const made: string[] = [];
    for (const index of times(25, (index) => index)) {
      made.unshift(await patch([add("/0/payload", payload(index))]));
      states.unshift(await variants());
    }

    const { changes, more } = (await burgee.getChanges(feature)).json;
    expect([changes, more]).toMatchObject([made.slice(0, 20).map((id) => ({ id })), true]);
    for (const [index, change] of made.entries()) {
      expect((await undo(change)).status).toBe(200);
      expect(await variants()).toEqual(states[index + 1]);
    }
  },
);

it.each([0, limits.carriedChanges + 1])(
  "a retry of a request that was undone is refused after %i others, and names the undo",
  async (others) => {
    const change = await patch(addRed, withKey("one"));
    const undone = changeOf(await undo(change, inProduction));
    await patchTimes(others);

    const dry = await burgee.patchVariants(feature, addRed, { ...withKey("one"), dryRun: true });
    const real = await burgee.patchVariants(feature, addRed, withKey("one"));

    const message = `This request was undone in environment "production" by the change ${undone}; send it again with a new Idempotency-Key`;
    const refused = [dry, real].map((answer) => [answer.status, answer.json.message, changeOf(answer)]);
    // A dry run has no change.
    expect(refused).toEqual(["", change].map((one) => [409, message, one]));
    expect(await revisions()).toEqual([2 + others, 3 + others]);
  },
);

describe("a change that is 29 days old", () => {
  it.each([
    ["every environment", {}, {}],
    ["the only environment that was ever changed", inProduction, {}],
    ["one environment", {}, inDevelopment],
  ])("is not undone, also not as the last one of %s", async (_, place, ofUndo) => {
    const change = await patch(addRed, place);
    const before = await revisions();

    const { status, json } = await inHours(days(29), () => undo(change, ofUndo));

    expect([status, json.code]).toEqual([409, "cannot-undo"]);
    expect(await revisions()).toEqual(before);
    const { changes } = (await inHours(days(29), () => burgee.getChanges(feature))).json;
    expect(changes[0].environments.some(({ canUndo }: { canUndo: boolean }) => canUndo)).toBe(false);
  });

  it("is not undone again either: what is too old is so wherever it stands", async () => {
    const change = await patch(addRed);
    await undo(change);

    expect((await inHours(days(28.9), () => undo(change))).status).toBe(200);
    expect((await inHours(days(29), () => undo(change))).status).toBe(409);
  });

  it("is not found once it is deleted in every environment", async () => {
    const change = await patch(addRed);
    await patchTimes(limits.carriedChanges);
    await forget(change);

    expect((await inHours(days(30), () => undo(change))).status).toBe(404);
  });

  it("counts as made where it was deleted: the undo for all environments is refused", async () => {
    const change = await patch(addRed);
    await patchTimes(limits.carriedChanges, inProduction);
    await forget(change);

    const { status, json } = await inHours(days(30), () => undo(change));

    expect([status, json.code]).toEqual([409, "cannot-undo"]);
    expect(await revisions()).toEqual([2, 2 + limits.carriedChanges]);
  });

  it("refuses a retry, also where only one environment has it, until it is deleted in all", async () => {
    const retry = () => burgee.patchVariants(feature, addRed, withKey("one"));
    const change = await patch(addRed, withKey("one"));
    await patchTimes(limits.carriedChanges, inProduction);
    expect((await inHours(days(28.9), retry)).status).toBe(200);
    await forget(change);

    const refused = await inHours(days(29), retry);

    expect([refused.status, refused.json.code, changeOf(refused)]).toEqual([409, "key-used", change]);
    expect(await revisions()).toEqual([2, 2 + limits.carriedChanges]);
    await patchTimes(limits.carriedChanges, inDevelopment);
    await forget(change);
    expect(await patch([remove("/0")], withKey("one"))).toBe(change);
  });

  it("is listed no more once its key was used again, nor are those before it", async () => {
    const older = await patch(stick("older"));
    const change = await patch(addRed, withKey("one"));
    await patchTimes(limits.carriedChanges);
    await forget(change);
    await patch([remove("/1")], withKey("one"));
    await patchTimes(limits.carriedChanges);

    const { status, json } = await burgee.getChanges(feature);

    const ids = json.changes.map(({ id }: { id: string }) => id);
    expect([status, ids.length]).toEqual([200, 2 * limits.carriedChanges + 1]);
    expect(ids.indexOf(change)).toBe(limits.carriedChanges);
    expect(ids.lastIndexOf(change)).toBe(limits.carriedChanges);
    expect(ids).not.toContain(older);
  });

  it("whose key is used again once it is deleted, and which is undone both times, leaves the environment writable", async () => {
    await patchTimes(limits.carriedChanges - 1);
    const change = await patch(addRed, withKey("one"));
    // The environments carry this undo for a month.
    await undo(change);
    await forget(change);
    await patch(addRed, withKey("one"));
    await undo(change);

    await patchTimes(2 * limits.carriedChanges);

    const retry = await burgee.patchVariants(feature, addRed, withKey("one"));
    expect([retry.status, retry.json.code]).toEqual([409, "undone"]);
  });

  /** Deletes the change's items, as DynamoDB does after 30 days. */
  async function forget(change: string): Promise<void> {
    for (const { uid } of await stored()) await burgee.remove(changeTableKey(change, uid));
  }
});
