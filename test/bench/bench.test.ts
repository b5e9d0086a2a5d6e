/** Tests the parts of the bench that compute figures. */
import { expect, it } from "vitest";
import { missed } from "./report.ts";
import { ratio, summarize } from "./statistics.ts";

it("a ratio is the median of the paired ratios, with their middle half", () => {
  expect(ratio([1, 2, 3, 4, 100], [2, 4, 6, 8, 10])).toEqual({ median: 0.5, spread: [0.5, 0.5] });
});

it("reports a missed goal with the measured value", () => {
  const line = { what: "tags: init", unit: "ms CPU", burgee: summarize([30]), goal: "init" } as const;

  expect(missed([{ ...line, ratio: summarize([0.451]) }])).toEqual([
    "tags: init is 0.451; the goal is at most 0.45",
  ]);
  expect(missed([{ ...line, ratio: summarize([0.45]) }])).toEqual([]);
});
