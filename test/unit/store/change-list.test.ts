import { describe, expect, it } from "vitest";
import type { Change } from "../../../lib/features/feature.ts";
import { addChange } from "../../../lib/store/change-list.ts";
import { times } from "../../support/patching.ts";

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, "0")}:00.000Z`;
const change = (minute: number, length = 0): Change => ({
  ...{ id: `c${minute}`, revision: minute, by: "ci", at: at(minute) },
  wayBack: { differences: [["blue", { stickiness: "s".repeat(length) }]] },
});
const ids = (changes: readonly Change[]) => changes.map(({ id }) => id);

describe("an environment keeps", () => {
  it("older changes while all of them fit in 1 KiB", () => {
    const older = times(9, (index) => change(20 - index));

    const { changes, droppedAt } = addChange({ changes: older, droppedAt: undefined }, change(21), 1024);

    expect(Buffer.byteLength(JSON.stringify(changes))).toBeLessThanOrEqual(1024 + changes.length + 1);
    expect(changes.length).toBeGreaterThan(5);
    expect(ids(changes)).toEqual(times(changes.length, (index) => `c${21 - index}`));
    expect(droppedAt).toBe(at(21 - changes.length));
  });

  it("the newest whatever its size", () => {
    const older = [change(2), change(1)];
    const { changes, droppedAt } = addChange({ changes: older, droppedAt: undefined }, change(3, 2000), 1024);

    expect([ids(changes), droppedAt]).toEqual([["c3"], at(2)]);
  });

  it("no change that is older than one it drops", () => {
    const older = [change(3), change(2, 2000), change(1)];
    const { changes, droppedAt } = addChange({ changes: older, droppedAt: at(0) }, change(4), 1024);

    expect([ids(changes), droppedAt]).toEqual([["c4", "c3"], at(2)]);
  });

  it("the latest time of what it has dropped before", () => {
    expect(addChange({ changes: [], droppedAt: at(5) }, change(6), 1024).droppedAt).toBe(at(5));
  });
});
