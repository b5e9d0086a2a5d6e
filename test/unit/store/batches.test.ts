/** What a throttled table leaves unprocessed of a batch is sent again, after a pause. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sendInBatches } from "../../../lib/store/batches.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A table that processes this many items of each batch. */
async function sentTo(items: readonly number[], processed: (batch: number) => number) {
  const startedAt = performance.now();
  const batches: { at: number; items: readonly number[] }[] = [];
  const all = sendInBatches(items, 3, async (batch) => {
    batches.push({ at: performance.now() - startedAt, items: batch });
    return batch.slice(processed(batches.length));
  });
  await vi.runAllTimersAsync();
  await all;
  return batches;
}

it("sends batches one after the other, without a pause while all is processed", async () => {
  expect(await sentTo([1, 2, 3, 4, 5], () => 3)).toEqual([
    { at: 0, items: [1, 2, 3] },
    { at: 0, items: [4, 5] },
  ]);
});

it("sends what is left first, after pauses that grow", async () => {
  expect(await sentTo([1, 2, 3, 4], (batch) => [2, 0, 3][batch - 1] ?? 3)).toEqual([
    { at: 0, items: [1, 2, 3] },
    { at: 50, items: [3, 4] },
    { at: 150, items: [3, 4] },
  ]);
});

it("ends with the failure of a batch", async () => {
  const failing = sendInBatches([1], 3, () => Promise.reject(new Error("Timed out")));

  await expect(failing).rejects.toThrow("Timed out");
});
