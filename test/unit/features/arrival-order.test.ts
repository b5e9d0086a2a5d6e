/** How long an attempt pauses after a write conflict. */
import { expect, it } from "vitest";
import { ConflictError } from "../../../lib/contract/errors.ts";
import { createArrivalOrder } from "../../../lib/features/arrival-order.ts";
import { environmentState } from "../../support/seed.ts";

const began = Date.UTC(2026, 0, 1);
const timeOf = (ms: number) => new Date(began + ms).toISOString();

/** An environment whose changes, newest first, are of attempts that began so many milliseconds before this one. */
const changedBefore = (ms: number | number[], { environment = "a", retried = false } = {}) => {
  const changes = [ms].flat().map((ms) => {
    const times = retried ? { at: timeOf(-50_000), retriedAt: timeOf(-ms) } : { at: timeOf(-ms) };
    return { id: "other", by: "ci", revision: 1, ...times };
  });
  return environmentState({ environment, changes });
};

function orderOf({ remainingMs = 10_000, retried = false } = {}) {
  const pauses: number[] = [];
  const times = retried ? { at: timeOf(-50_000), retriedAt: timeOf(0) } : { at: timeOf(0) };
  const clock = {
    remainingMs: () => remainingMs,
    async sleep(ms: number) {
      pauses.push(ms);
    },
  };
  return { pauses, order: createArrivalOrder(clock, { id: "own", by: "ci", request: "r", ...times }) };
}

it.each([
  [-100, []],
  [0, []],
  [5, []],
  [10, [9]],
  [100, [90]],
  [3_600_000, [400]],
  // One that had to wait has written last.
  [[300, 30, 30], [108]],
  [[300, 30, 30, 30, 60, 1000], [81]],
  [[100, -300, 20], []],
  // A feature that nobody has written for long.
  [[10, 3_600_000], [9]],
])(
  "an attempt that began %j ms later than the newest changes pauses for %j ms",
  async (laterMs, expected) => {
    const { pauses, order } = orderOf();

    expect(await order.pause(changedBefore(laterMs))).toBe(expected.length > 0);
    expect(pauses).toEqual(expected);
  },
);

it("an attempt does not pause where no change is kept", async () => {
  expect(await orderOf().order.pause(environmentState())).toBe(false);
});

it("of a retried request the start of the retry counts, not that of its first attempt", async () => {
  const { pauses, order } = orderOf({ retried: true });

  expect(await order.pause(changedBefore(-100))).toBe(false);
  expect(await order.pause(changedBefore(100, { retried: true }))).toBe(true);
  expect(pauses).toEqual([90]);
});

it("pauses only in the first environment in which it meets others, and reports that it has met them", async () => {
  const { pauses, order } = orderOf();

  expect(order.hasMetOthers()).toBe(false);
  await order.pause(changedBefore(-100));
  expect(order.hasMetOthers()).toBe(true);
  await order.pause(changedBefore(100, { environment: "b" }));
  await order.pause(changedBefore(10));
  expect(pauses).toEqual([9]);
});

it.each([
  [600, [100]],
  [504, []],
  [500, []],
])("with %i ms left it pauses for no longer than leaves time to write", async (remainingMs, expected) => {
  const { pauses, order } = orderOf({ remainingMs });

  expect(await order.pause(changedBefore(1000))).toBe(expected.length > 0);
  expect(pauses).toEqual(expected);
});

it("with too little time to write it is refused", async () => {
  await expect(orderOf({ remainingMs: 499 }).order.pause(changedBefore(0))).rejects.toThrow(
    new ConflictError("Gave up waiting for other requests; nothing was written here"),
  );
});
