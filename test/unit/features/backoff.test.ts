/** The pauses between the attempts of requests that meet. */
import { expect, it, vi } from "vitest";
import { createBackoff } from "../../../lib/features/backoff.ts";

/** The pauses of a request whose attempts each take `attemptMs`. */
async function pauses(leftMs: number, count: number, attemptMs = 0): Promise<number[]> {
  let remainingMs = leftMs;
  const slept: number[] = [];
  const backoff = createBackoff({
    sleep: async (ms) => void slept.push(ms),
    remainingMs: () => remainingMs,
  });
  for (let conflicts = 0; conflicts < count; conflicts++) {
    remainingMs -= attemptMs;
    await backoff.pause();
  }
  return slept;
}

it("each pause is half as long as the one before at most, down to 20 ms", async () => {
  vi.spyOn(Math, "random").mockReturnValue(1);

  expect(await pauses(10_000, 6)).toEqual([100, 50, 25, 20, 20, 20]);
});

it("where attempts are slow, a pause takes up to six of them, then three", async () => {
  vi.spyOn(Math, "random").mockReturnValue(1);

  expect(await pauses(10_000, 5, 200)).toEqual([1200, 600, 600, 600, 600]);
});

it("a pause is random, and ends half a second before the deadline", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);

  expect(await pauses(510, 1)).toEqual([5]);
  expect(await pauses(500, 1)).toEqual([0]);
});

it("without that time left a request gives up, and says that nothing was written", async () => {
  const message = "Gave up waiting for other requests; nothing was written here";

  await expect(pauses(499, 1)).rejects.toMatchObject({ status: 409, message });
});
