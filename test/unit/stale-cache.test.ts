/** The rules of the cache. API keys and documents: access/authenticate.test.ts, ../http/read/documents.test.ts */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { NotFoundError, TemporarilyUnavailable } from "../../lib/contract/errors.ts";
import { StaleCache } from "../../lib/stale-cache.ts";

const noon = Date.parse("2026-11-21T12:00:00Z");
const failure = new TemporarilyUnavailable("down", { cause: "throttled" });

let cache: StaleCache<string>;
let reads = 0;
beforeEach(() => {
  vi.useFakeTimers({ now: noon });
  cache = new StaleCache({ seconds: 30, capacity: 10, sizeOf: (text) => text.length });
  reads = 0;
});
afterEach(() => void vi.useRealTimers());

const passTo = (seconds: number) => vi.setSystemTime(noon + seconds * 1000);

function read(
  found: unknown,
  { id = "id", ...options }: { id?: string } & Parameters<typeof cache.read>[2] = {},
) {
  const find = async () => {
    reads += 1;
    if (found instanceof Error) throw found;
    return (await found) as string;
  };
  return cache.read(id, find, options);
}

function withResolvers() {
  let resolve: (text: string) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<string>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}

it("a value is fresh for 30 seconds, and is read again after that", async () => {
  await read("old");
  passTo(29.999);
  expect(await read("new")).toEqual({ value: "old" });
  passTo(30);

  expect(await read("new")).toEqual({ value: "new" });
  expect(reads).toBe(2);
});

it("a value is read again although the clock was set back, and although it is fresh but invalid", async () => {
  await read("old");
  expect(await read("new", { isValid: (value) => value !== "old" })).toEqual({ value: "new" });
  expect(await read("unused")).toEqual({ value: "new" });
  passTo(-1);

  expect(await read("newest")).toEqual({ value: "newest" });
});

it.each(["new", undefined])(
  "a value is not served again once a clock that was set back is past it: %s",
  async (next) => {
    passTo(3600);
    await read("old");
    passTo(0);
    expect(await read(next)).toEqual({ value: next });
    passTo(3600);

    expect(await read("newest")).toEqual({ value: "newest" });
  },
);

it("undefined is not cached, and removes the cached value", async () => {
  await read("old");
  passTo(30);

  expect(await read(undefined)).toEqual({ value: undefined });
  await expect(read(failure)).rejects.toBe(failure);
  expect(cache.entries.size).toBe(0);
});

const gone = new NotFoundError("gone");

it("an error that is no failure of the database removes the cached value", async () => {
  await read("old");
  passTo(30);

  await expect(read(gone)).rejects.toBe(gone);
  await expect(read(failure)).rejects.toBe(failure);
});

it("a slow read that ends in such an error does not remove a value that was read later", async () => {
  const slow = withResolvers();
  const first = read(slow.promise);
  passTo(1);
  await read("later");
  slow.reject(gone);

  await expect(first).rejects.toBe(gone);
  expect(await read("unused")).toEqual({ value: "later" });
});

it("a slow read does not replace a value that was read later", async () => {
  const slow = withResolvers();
  const first = read(slow.promise);
  passTo(1);
  await read("later");
  slow.resolve("earlier");

  expect(await first).toEqual({ value: "earlier" });
  expect(await read("unused")).toEqual({ value: "later" });
});

it("the cache is cleared when another value would exceed its capacity", async () => {
  await read("12345", { id: "a" });
  await read("12345", { id: "b" });
  expect([...cache.entries.keys()]).toEqual(["a", "b"]);
  passTo(30);
  await read("54321", { id: "b" });
  expect([...cache.entries.keys()]).toEqual(["a", "b"]);

  await read("1", { id: "c" });

  expect([...cache.entries.keys()]).toEqual(["c"]);
});

it("a stale value is served for 15 minutes while the database fails, with its age and the cause", async () => {
  await read("old");
  passTo(929.999);
  expect(await read(failure)).toEqual({ value: "old", stale: { seconds: 929, cause: "throttled" } });
  expect(vi.getTimerCount()).toBe(0);
  passTo(930);

  await expect(read(failure)).rejects.toBe(failure);
});

it.each([
  ["a failure without a cause", new TemporarilyUnavailable("down"), "TemporarilyUnavailable: down"],
  ["a defect", new Error("defect"), "Error: defect"],
])("a stale value is served after %s, and the cause names this error", async (_, error, cause) => {
  await read("old");
  passTo(30);

  expect(await read(error)).toEqual({ value: "old", stale: { seconds: 30, cause } });
});

it("no stale value is served if `mayBeStale` is false, after another error, or after the clock was set back", async () => {
  await read("old");
  passTo(30);
  await expect(read(failure, { mayBeStale: false })).rejects.toBe(failure);
  await expect(read(gone)).rejects.toBe(gone);
  passTo(0);
  await read("old");
  passTo(-1);

  await expect(read(failure)).rejects.toBe(failure);
});

it("the database is not read again for 5 seconds after a failure", async () => {
  await read("old");
  passTo(30);
  await read(failure);
  const cause = "the last read failed less than 5 seconds ago";
  expect(await read("new")).toEqual({ value: "old", stale: { seconds: 30, cause } });
  passTo(34.999);
  expect(await read("new")).toEqual({ value: "old", stale: { seconds: 34, cause } });
  expect(reads).toBe(2);
  passTo(35);

  expect(await read("new")).toEqual({ value: "new" });
});

it("the database is read again if the clock was set back since it failed", async () => {
  await read("old");
  passTo(60);
  await read(failure);
  passTo(59);

  expect(await read("new")).toEqual({ value: "new" });
});

it("a slow read is awaited for a second, and its result is cached", async () => {
  await read("old");
  passTo(30);
  const slow = withResolvers();
  const reading = read(slow.promise);
  const late = vi.fn();
  void reading.then(late);
  await vi.advanceTimersByTimeAsync(999);
  expect(late).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);

  const cause = "it was not read within 1000 ms";
  expect(await reading).toEqual({ value: "old", stale: { seconds: 30, cause } });
  slow.resolve("new");
  await vi.advanceTimersByTimeAsync(0);
  expect(await read("unused")).toEqual({ value: "new" });
});

it("a slow read that fails when it is no longer awaited causes no unhandled rejection", async () => {
  await read("old");
  passTo(30);
  const slow = withResolvers();
  const reading = read(slow.promise);
  await vi.advanceTimersByTimeAsync(1000);

  expect(await reading).toMatchObject({ value: "old" });
  slow.reject(failure);
  await vi.advanceTimersByTimeAsync(0);
});
