/** Measures a patch without I/O: ours and the plain one in turn, each in a process of its own. */
import { execFileSync } from "node:child_process";
import { type Measured, ratio, summarize } from "../statistics.ts";
import type { PatchCost, PatchJob } from "./program.ts";
import type { Size } from "./sizes.ts";

export interface PatchComparison {
  size: Size;
  burgee: Measured;
  plain: Measured;
  ratio: Measured;
}

export function measurePatches(node: string, sizes: Size[], rounds: number): PatchComparison[] {
  const burgee: PatchCost[][] = [];
  const plain: PatchCost[][] = [];
  for (let round = 0; round < rounds; round++) {
    burgee.push(run(node, { way: "burgee", sizes, ms: 300 }));
    plain.push(run(node, { way: "plain", sizes, ms: 300 }));
  }
  return sizes.map((size, index) => {
    const [ours, theirs] = [burgee, plain].map((costs) => costs.map((cost) => cost[index]));
    if (new Set([...(ours ?? []), ...(theirs ?? [])].map((cost) => cost?.digest)).size !== 1) {
      throw new Error("the two implementations return different lists");
    }
    const [mine = [], others = []] = [ours, theirs].map((costs) =>
      costs?.map((cost) => cost?.ms ?? Number.NaN),
    );
    return { size, burgee: summarize(mine), plain: summarize(others), ratio: ratio(mine, others) };
  });
}

function run(node: string, job: PatchJob): PatchCost[] {
  const output = execFileSync(node, ["dist/bench/patch-program.mjs", JSON.stringify(job)], {
    encoding: "utf8",
  });
  return JSON.parse(output);
}
