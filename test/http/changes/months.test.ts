/** Months of patches, retries and undos, while DynamoDB deletes what has expired. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { scanTable } from "../../../infra/store/read-table.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { naming } from "../../support/answers.ts";
import { type Place, type Request, type Response, useBurgee } from "../../support/burgee.ts";
import { add, replace, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

type Options = Partial<Request> & Place;

const burgee = useBurgee();

const names = ["development", "production"];
const lists = Object.fromEntries(names.map((name) => [name, [variant("blue")]]));
const inProduction = { environment: "production" };
const inDevelopment = { environment: "development" };
const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
const stick = (text: string) => [replace("/0/stickiness", text)];
const addRed = [add("/-", { name: "red", weight: 1 })];
const start = Date.UTC(2031, 0, 1);
const dayMs = 24 * 3_600_000;

let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, { environments: lists });
});

const changeOf = ({ headers }: Response) => headers["burgee-change"] ?? "";
const patch = (operations: unknown, options?: Options) => burgee.patchVariants(feature, operations, options);
const undo = (change: string, options?: Options) => burgee.undo(feature, change, options);

let patches = 0;
async function patchTimes(count: number, options?: Options): Promise<void> {
  for (const _ of times(count, (index) => index)) {
    expect((await patch(stick(`s${patches++}`), options)).status).toBe(200);
  }
}

async function onDay<Result>(day: number, run: () => Promise<Result>): Promise<Result> {
  vi.setSystemTime(start + day * dayMs);
  try {
    await deleteExpired();
    return await run();
  } finally {
    vi.useRealTimers();
  }
}

/** Deletes expired items, as DynamoDB does at some time after the `ttl`. */
async function deleteExpired(): Promise<void> {
  for (const item of await scanTable(burgee.session)) {
    const isExpired = "ttl" in item && Number(item.ttl) * 1000 <= Date.now();
    if (isExpired) await burgee.remove(item);
  }
}

const idsIn = async (place?: Place) =>
  (await burgee.getChanges(feature, place)).json.changes.map(({ id }: { id: string }) => id);

/** An expired change is a conflict for as long as its environment carries it: each write may be the one that drops it. */
async function patchWithUsedKey(): Promise<Response> {
  for (const _ of times(limits.carriedChanges, (index) => index)) {
    const response = await patch(addRed, withKey("monthly"));
    if (response.status !== 409) return response;
    expect(response.json.code).toBe("key-used");
    await patchTimes(1);
    await deleteExpired();
  }
  return patch(addRed, withKey("monthly"));
}

it.each([0, 1, 2])(
  "a key that is used and undone each month leaves every environment writable, after %i other changes",
  async (others) => {
    const ids: string[] = [];
    await onDay(0, () => patchTimes(others));
    for (const day of [0, 31, 62, 93]) {
      await onDay(day, async () => {
        const patched = await patchWithUsedKey();
        expect(patched.status).toBe(200);
        ids.push(changeOf(patched));
        expect((await undo(changeOf(patched))).status).toBe(200);
      });
    }

    expect(new Set(ids).size).toBe(1);
    await onDay(94, async () => {
      await patchTimes(2 * limits.carriedChanges);
      expect((await patch(addRed)).status).toBe(200);
    });
  },
);

describe("a request that a late retry finishes", () => {
  /** Patches development on the first day, and production on the 25th. */
  async function finishLate(): Promise<{ late: string; between: string }> {
    const stopped = await onDay(0, async () => {
      await patch(addRed, inProduction);
      return patch(addRed, withKey("late"));
    });
    expect(stopped.status).toBe(400);
    const between = await onDay(20, async () => {
      await patch([{ op: "remove", path: "/1" }], inProduction);
      return changeOf(await patch(stick("userId"), inProduction));
    });
    const late = await onDay(25, async () => changeOf(await patch(addRed, withKey("late"))));
    expect(late).toBe(changeOf(stopped));
    await onDay(26, () => patchTimes(0));
    return { late, between };
  }

  it("is kept for 30 days from its write in each environment, and hides no younger change", async () => {
    const { late, between } = await finishLate();
    await onDay(27, () => patchTimes(limits.carriedChanges));

    const ids = await onDay(31, () => idsIn(inProduction));

    expect(ids.slice(limits.carriedChanges, limits.carriedChanges + 2)).toEqual([late, between]);
  });

  it("cannot be undone after 29 days from its first attempt, and nor can what is below: the message says what to do", async () => {
    const { late, between } = await finishLate();

    const { status, json } = await onDay(30, () => undo(between, inProduction));

    expect([status, json.message]).toEqual([409, naming(late, "cannot be undone", "send a patch instead")]);
  });
});

describe("canUndo in the list over all environments", () => {
  const canUndo = async (change: string, place?: Place) => {
    const { changes } = (await burgee.getChanges(feature, place)).json;
    const { environments } = changes.find(({ id }: { id: string }) => id === change) ?? { environments: [] };
    return environments.map((one: { canUndo: boolean }) => one.canUndo);
  };

  it("is false where another environment was changed since, as the undo there is a 409", async () => {
    const change = changeOf(await patch(addRed));
    expect(await canUndo(change)).toEqual([true, true]);

    await patchTimes(1, inDevelopment);

    expect(await canUndo(change)).toEqual([false, false]);
    expect((await undo(change, { dryRun: true, headers: { prefer: "handling=strict" } })).status).toBe(409);
    expect(await canUndo(change, inProduction)).toEqual([true]);
  });

  it("is true where it was undone in the other one, as the undo there goes on", async () => {
    const change = changeOf(await patch(addRed));

    await undo(change, inDevelopment);

    expect(await canUndo(change)).toEqual([false, true]);
    expect((await undo(change)).status).toBe(200);
  });

  it.each([
    [[false], "has more changes since than it lists", async () => {}],
    [[true], "does too, but has undone it before", (change: string) => undo(change, inDevelopment)],
  ])("is %j where the other one %s", async (expected, _, first) => {
    const change = changeOf(await patch(addRed));
    await first(change);
    await patchTimes(limits.listedChanges + 4, inDevelopment);

    expect(await canUndo(change)).toEqual(expected);
    expect((await undo(change)).status).toBe(expected[0] ? 200 : 409);
  });
});

describe("a list of large changes", () => {
  const many = ["a", "b", "c", "d"];
  const payload = (index: number) => ({ type: "string", value: `${index} ${"x".repeat(180_000)}` });

  it("has the newest that fit in a response, and reads no more than a few megabytes", {
    timeout: 60_000,
  }, async () => {
    const environments = Object.fromEntries(many.map((name) => [name, [variant("blue")]]));
    feature = await addFeature(burgee, { environments });
    const made: string[] = [];
    for (const index of times(9, (index) => index)) {
      made.unshift(changeOf(await patch([add("/0/payload", payload(index))])));
    }
    burgee.wire.reset();

    const { status, json } = await burgee.getChanges(feature);

    const ids = json.changes.map(({ id }: { id: string }) => id);
    expect([status, json.more]).toEqual([200, true]);
    expect(ids).toEqual(made.slice(0, ids.length));
    expect(ids.length).toBeGreaterThan(4);
    const reads = burgee.wire.calls.filter(({ operation }) => operation === "BatchGetItem");
    expect(reads.length).toBe(1);
  });
});

it("the ETag of a list changes when a change gets too old to be undone; If-Match may still have the old one", async () => {
  await onDay(0, () => patch(addRed));
  const listOn = (day: number, etag = "") =>
    onDay(day, () => burgee.getChanges(feature, { headers: { "if-none-match": etag } }));
  const canUndo = ({ json }: Response) => json.changes[0].environments[0].canUndo;

  const first = await listOn(1);
  const { etag = "" } = first.headers;
  const again = await listOn(2, etag);
  const late = await listOn(limits.undoableDays, etag);
  const patched = await onDay(limits.undoableDays, () =>
    patch(stick("late"), { headers: { "if-match": etag } }),
  );

  expect([canUndo(first), again.status, late.status, canUndo(late)]).toEqual([true, 304, 200, false]);
  expect(late.headers.etag).not.toBe(etag);
  expect(patched.status).toBe(200);
});
