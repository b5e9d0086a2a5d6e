/** How a change is stored: as one JSON text that reads back, and is short. */
import { expect, it } from "vitest";
import type { Change } from "../../../lib/features/feature.ts";
import { fromStoredChange, toStoredChange } from "../../../lib/store/items.ts";
import { milliseconds } from "../../support/cost.ts";

const plain: Change = { id: "InFC1rltTSU", by: "ci", at: "2026-01-01T00:00:00.000Z", revision: 12 };

it.each<[string, Change]>([
  ["one of a request without an idempotency key", plain],
  [
    "one with every member",
    {
      ...plain,
      ...{ retriedAt: "2026-01-03T00:00:00.000Z", key: "AAAAAAAAAAA", reason: "why", undoes: "BBBBBBBBBBB" },
      wayBack: [["/blue/weight", 1]],
    },
  ],
  ["one with some members", { ...plain, reason: "why" }],
])("a change reads back as it was stored: %s", (_, change) => {
  expect(fromStoredChange(toStoredChange(change))).toEqual(change);
});

it("what only recognises a retry takes 64 bytes at most with a short name", () => {
  expect(toStoredChange({ ...plain, by: "a-pipeline", key: "AAAAAAAAAAA" }).length).toBeLessThanOrEqual(64);
});

it("a way back that holds what looks like absent members is stored in linear time", () => {
  const value = `[${Array(60_000).fill("null").join()}]`;
  const change: Change = { ...plain, wayBack: [["/blue/payload", { type: "json", value }]] };

  expect(milliseconds(() => toStoredChange(change), 50)).toBeLessThanOrEqual(50);
});
