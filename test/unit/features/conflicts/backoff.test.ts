/** The pauses between the rounds of requests that conflict. */
import { beforeEach, expect, it, vi } from "vitest";
import { changeFeature } from "../../../../lib/features/change/change-feature.ts";
import type { PreparedOutcome } from "../../../../lib/features/change/outcome.ts";
import { createBackoff, pause } from "../../../../lib/features/conflicts/backoff.ts";
import type { EnvironmentStore } from "../../../../lib/features/stores.ts";
import { add, times } from "../../../support/patching.ts";
import { environmentState } from "../../../support/seed.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  return () => vi.useRealTimers();
});

/** The pauses of a request whose rounds each take `roundMs`. */
async function pauses(leftMs: number, count: number, roundMs = 0): Promise<number[]> {
  let remainingMs = leftMs;
  const slept: number[] = [];
  const clock = { sleep: async (ms: number) => void slept.push(ms), remainingMs: () => remainingMs };
  const backoff = createBackoff(clock);
  for (let conflicts = 0; conflicts < count; conflicts++) {
    remainingMs -= roundMs;
    vi.advanceTimersByTime(roundMs);
    await pause(backoff);
  }
  return slept;
}

it("a request pauses after its first two conflicts, for up to 100 ms", async () => {
  vi.spyOn(Math, "random").mockReturnValue(1);

  expect(await pauses(10_000, 6)).toEqual([100, 100]);
});

it("where rounds are slow, a pause takes up to ten of them, and two seconds at most", async () => {
  vi.spyOn(Math, "random").mockReturnValue(1);

  expect(await pauses(10_000, 2, 150)).toEqual([1500, 1500]);
  // An attempt may have waited for a response that was lost.
  expect(await pauses(10_000, 2, 2600)).toEqual([2000, 2000]);
});

it("a pause is random, and ends half a second before the deadline", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);

  expect(await pauses(510, 1)).toEqual([5]);
  expect(await pauses(500, 1)).toEqual([0]);
});

it("without that time left a request gives up, and says that nothing was written", async () => {
  const message = "Gave up waiting for other requests; nothing was written here";
  const refusal = { status: 409, code: "gave-up", message };

  await expect(pauses(499, 1)).rejects.toMatchObject(refusal);
  await expect(pauses(501, 3, 1)).rejects.toMatchObject(refusal);
});

it("the time that a request has spent on other environments does not lengthen its pause", async () => {
  vi.spyOn(Math, "random").mockReturnValue(1);
  const states = times(20, (index) => ({
    ...environmentState(),
    environment: `e${index}`,
    uid: `u${index}`,
  }));
  const slept: number[] = [];
  const clock = { sleep: async (ms: number) => void slept.push(ms), remainingMs: () => 10_000 };
  const store: EnvironmentStore = {
    readEnvironments: async () => states,
    readStoredEnvironment: async (_, environment) =>
      states.find((state) => state.environment === environment),
    readChangeItems: async () => new Map(),
    readNewestChanges: async () => [],
    prepareWrites: async (_, planned) => planned as PreparedOutcome[],
    prepareWrite: async (_, planned) => planned as PreparedOutcome,
    async writeEnvironment(_, { environment }) {
      vi.advanceTimersByTime(50);
      const meetsAnother = environment === "e19" && slept.length === 0;
      return meetsAnother ? { isStored: false, mayBeStored: false } : { isStored: true };
    },
    smokeTest: async () => [],
  };

  await changeFeature(store, clock, {
    target: { project: "p", feature: "f" },
    edit: { kind: "patch", root: "variants", patch: [add("/new", { weight: 1 })], form: "name" },
    stamp: { id: "1", by: "admin", at: "2026-01-01T00:00:00Z", requestId: "1" },
    caller: { name: "admin", permissions: [{ permission: "ADMIN" }] },
    preconditions: {},
    isStrict: false,
    mostMoves: undefined,
  });

  expect(slept).toEqual([500]);
});
