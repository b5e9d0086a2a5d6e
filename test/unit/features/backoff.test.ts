import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBackoff } from "../../../lib/features/backoff.ts";

interface Setting {
  remainingMs?: number;
  marginMs?: number;
  jitter?: () => number;
}

/** Patience with a clock that only pauses move, and the pauses that it made. */
function patienceWith({ remainingMs = 60_000, jitter = () => 1, ...options }: Setting = {}) {
  const pauses: number[] = [];
  const elapsed = () => pauses.reduce((sum, ms) => sum + ms, 0);
  const patience = createBackoff({
    ...options,
    jitter,
    remainingMs: () => remainingMs - elapsed(),
    sleep: async (ms) => void pauses.push(ms),
  });
  return { patience, pauses, elapsed };
}

/** The number of pauses, until there is no time for another. */
async function exhaust(setting: Setting) {
  const { patience, ...seen } = patienceWith(setting);
  let tries = 0;
  while (tries < 300 && (await patience.pause(tries))) tries++;
  return { tries, ...seen };
}

describe("backoff", () => {
  it("pauses twice as long each time, up to a longest pause", async () => {
    const { patience, pauses } = patienceWith();

    for (let tries = 0; tries < 12; tries++) await patience.pause(tries);

    const longest = Math.max(...pauses);
    const doubled = pauses.map((_, tries) => Math.min(longest, (pauses[0] ?? 0) * 2 ** tries));
    expect(pauses).toEqual(doubled);
    expect(pauses.filter((ms) => ms === longest).length).toBeGreaterThan(3);
    expect(pauses[0]).toBeGreaterThan(0);
    expect(longest / (pauses[0] ?? 0)).toBeGreaterThanOrEqual(4);
    expect(longest).toBeLessThanOrEqual(1000);
  });

  it("goes on at the longest pause after any number of tries", async () => {
    const { patience, pauses } = patienceWith();

    for (const tries of [20, 2_000, 1e9]) await patience.pause(tries);

    expect(new Set(pauses).size).toBe(1);
    expect(pauses[0]).toBeLessThanOrEqual(1000);
  });

  it("draws each pause with full jitter, so that conflicting callers do not conflict again", async () => {
    const { patience: most, pauses: longest } = patienceWith({ jitter: () => 1 });
    const { patience: half, pauses: middle } = patienceWith({ jitter: () => 0.5 });
    const { patience: least, pauses: shortest } = patienceWith({ jitter: () => 0 });

    for (const patience of [most, half, least]) await patience.pause(3);

    expect(middle[0]).toBe((longest[0] ?? 0) / 2);
    expect(shortest[0]).toBe(0);
  });

  it("draws by chance where it is not told how", async () => {
    const pauses: number[] = [];
    const patience = createBackoff({ remainingMs: () => 60_000, sleep: async (ms) => void pauses.push(ms) });

    for (let calls = 0; calls < 20; calls++) await patience.pause(5);

    expect(new Set(pauses).size).toBeGreaterThan(10);
  });

  it("says no at once, without a pause, when there is no time for another try", async () => {
    const { patience, pauses } = patienceWith({ remainingMs: 400, marginMs: 500, jitter: () => 0 });

    expect(await patience.pause(0)).toBe(false);
    expect(pauses).toEqual([]);
  });

  it("takes a pause that leaves just the margin", async () => {
    const { patience, pauses } = patienceWith({ remainingMs: 510, marginMs: 500 });

    expect(await patience.pause(0)).toBe(true);
    expect(pauses).toEqual([10]);
  });

  it("says no to a pause that would pass the time that is left, though some is left", async () => {
    const { patience, pauses } = patienceWith({ remainingMs: 501, marginMs: 500 });

    expect(await patience.pause(0)).toBe(false);
    expect(pauses).toEqual([]);
  });

  it("really waits", async () => {
    const patience = createBackoff({ remainingMs: () => 60_000, jitter: () => 1 });
    const startedAt = performance.now();

    expect(await patience.pause(0)).toBe(true);

    // A timer may fire a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(8);
  });

  it("never passes the time that is left, and keeps the margin back for the answer", async () => {
    // Sixteenths, which are added without rounding.
    const chance = fc.integer({ min: 0, max: 16 }).map((sixteenths) => sixteenths / 16);
    const run = fc.record({
      remainingMs: fc.integer({ min: 0, max: 20_000 }),
      marginMs: fc.integer({ min: 1, max: 2_000 }),
      seeds: fc.array(chance, { minLength: 1, maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(run, async ({ remainingMs, marginMs, seeds }) => {
        let drawn = 0;
        const jitter = () => seeds[drawn++ % seeds.length] ?? 0;

        const { tries, elapsed, pauses } = await exhaust({ remainingMs, marginMs, jitter });

        expect(pauses).toHaveLength(tries);
        if (tries > 0) expect(elapsed()).toBeLessThanOrEqual(remainingMs - marginMs);
      }),
    );
  });
});
