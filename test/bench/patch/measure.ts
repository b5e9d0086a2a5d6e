/** Measures a large patch without I/O: ours and the plain one in turn, each in a process of its own. */
import { execFileSync } from "node:child_process";
import type { Line } from "../report.ts";
import { summarize } from "../statistics.ts";
import type { PatchCost, PatchJob } from "./program.ts";

export function measurePatch(node: string, rounds: number): Line {
  const costs = Array.from({ length: rounds }, () => ({
    burgee: run(node, { way: "burgee", ms: 1000 }),
    plain: run(node, { way: "plain", ms: 1000 }),
  }));
  if (new Set(costs.flatMap(({ burgee, plain }) => [burgee.digest, plain.digest])).size !== 1) {
    throw new Error("the two implementations return different lists");
  }
  const burgee = costs.map((cost) => cost.burgee.ms);
  const plain = costs.map((cost) => cost.plain.ms);
  return {
    what: "patch of 100 variants x 10 environments, 50 operations",
    unit: "ms CPU",
    burgee: summarize(burgee),
    usual: summarize(plain),
    // A busy machine can only slow a run down, so the fastest ones are closest to the cost.
    ratio: summarize([Math.min(...burgee) / Math.min(...plain)]),
    goal: "largePatch",
  };
}

function run(node: string, job: PatchJob): PatchCost {
  const program = ["dist/bench/patch-program.mjs", JSON.stringify(job)];
  return JSON.parse(execFileSync(node, program, { encoding: "utf8" }));
}
