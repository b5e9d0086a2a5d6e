/** Tests the parts of the bench that compute figures. */
import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import { makeCertificate } from "./engine/certificate.ts";
import { startedBy } from "./load/memory.ts";
import { missed } from "./report.ts";
import { exponent, issuesOf } from "./scale/growth.ts";
import type { Curve } from "./scale/measure.ts";
import { plot } from "./scale/plot.ts";
import { ratio, summarize } from "./statistics.ts";
import { behindIn, loadLines } from "./unleash/lines.ts";

function curve(cost: (count: number) => number): Curve {
  const points = [10, 100, 200, 500, 1000].map((count) => ({
    count,
    cpu: summarize([cost(count)]),
    wall: summarize([cost(count)]),
    calls: 1,
    units: 1,
    memory: 1,
  }));
  return { name: "tags", request: "tag update", limit: "none", points };
}

it("Node reads the certificate: self-signed, for localhost, and valid now", () => {
  const { cert, key } = makeCertificate();

  const read = new X509Certificate(cert);

  expect(read.verify(createPublicKey(createPrivateKey(key)))).toBe(true);
  expect(read.checkHost("localhost")).toBe("localhost");
  expect(Date.parse(read.validFrom)).toBeLessThan(Date.now());
  expect(Date.parse(read.validTo)).toBeGreaterThan(Date.now());
});

it("a ratio is the median of the paired ratios, with their middle half", () => {
  expect(ratio([1, 2, 3, 4, 100], [2, 4, 6, 8, 10])).toEqual({ median: 0.5, spread: [0.5, 0.5] });
});

it.each([
  ["a flat line", () => 5, 0],
  ["a straight line", (count: number) => 3 * count, 1],
  ["a square", (count: number) => count * count, 2],
])("recognises %s", (_, cost, power) => {
  expect(exponent(curve(cost), "cpu")).toBeCloseTo(power);
});

it("accepts a straight line from above zero, and reports a square", () => {
  expect(issuesOf(curve((count) => 50 + count))).toEqual([]);
  expect(issuesOf(curve((count) => 50 + count * count))).toEqual([expect.stringContaining("cpu grows")]);
});

it("reports a missed goal with the measured value", () => {
  const line = { what: "tags: init", unit: "ms CPU", burgee: summarize([30]), goal: "init" } as const;

  expect(missed([{ ...line, ratio: summarize([0.451]) }])).toEqual([
    "tags: init is 0.451; the goal is at most 0.45",
  ]);
  expect(missed([{ ...line, ratio: summarize([0.45]) }])).toEqual([]);
});

it("the plot has a line for each curve and cost, with every point", () => {
  const svg = plot([curve((count) => count), curve(() => 1)]);

  expect(svg.match(/<polyline/g)).toHaveLength(4);
  expect(svg.match(/<circle/g)).toHaveLength(20);
  expect(svg).not.toContain("NaN");
});

it("finds the children of a process and their children", () => {
  const processes = [
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 0],
  ].map(([pid = 0, parent = 0]) => ({ pid, parent, megabytes: 1 }));

  expect(startedBy(processes, 1).map(({ pid }) => pid)).toEqual([2, 3]);
});

it("counts more requests and less time as ahead, and lists every other line as behind", () => {
  const nothing = { server: 0, database: 0 };
  const memory = { peak: nothing, begin: nothing, end: nothing };
  const one = { operation: "tag update", connections: 1, seconds: 1, p50: 1, refused: 0, memory } as const;

  const lines = loadLines({
    burgee: [{ ...one, perSecond: 300, p99: 4 }],
    unleash: [{ ...one, perSecond: 100, p99: 2 }],
  });

  expect(lines.map(({ what, ahead }) => [what, ahead])).toEqual([
    ["tag update, 1 connection, requests/s", 3],
    ["tag update, 1 connection, p99 ms", 0.5],
  ]);
  expect(behindIn(lines)).toEqual(["tag update, 1 connection, p99 ms: 0.50 x"]);
});
