/** `npm run bench`: compares cold starts and patches with other ways to ship such functions, and counts calls. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fetchNode24 } from "../support/node-24.mjs";
import { formatOperations, measureOperations } from "./calls/measure.ts";
import { measureColdStarts } from "./cold/measure.ts";
import { startBenchEngine } from "./engine/start.ts";
import { compared, type Line, report } from "./report.ts";
import { stateWith } from "./requests.ts";

/** `wanted` is "current" or "24". */
export async function compare(rounds: number, wanted: string): Promise<string[]> {
  const node = wanted === "current" ? process.execPath : path.join(fetchNode24().bin, "node");
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const engine = await startBenchEngine();
  await engine.store(stateWith());
  console.log(`Node ${version}: ${rounds} cold starts of each set-up, in turn`);
  const cold = await measureColdStarts({ node, environment: engine.overTls, rounds });
  console.log("patches without I/O");
  const lines = [...cold, measurePatch(node)];
  const operations = await measureOperations(engine);
  console.log(`\n${formatOperations(operations)}`);
  return report("bench", lines, ["burgee", "other"], { node: version, operations });
}

/** Ours and the plain way in turn, each in a process of its own. */
function measurePatch(node: string): Line {
  const run = (way: string) =>
    JSON.parse(execFileSync(node, ["dist/bench/patch.mjs", way], { encoding: "utf8" }));
  const runs = Array.from({ length: 5 }, () => ({ ours: run("ours"), plain: run("plain") }));
  for (const { ours, plain } of runs) assert.deepEqual(ours.lists, plain.lists);
  const what = "patch of 100 variants x 10 environments, 50 operations";
  return compared(
    { what, unit: "ms CPU", goal: "largePatch" },
    runs.map(({ ours }) => ours.ms),
    runs.map(({ plain }) => plain.ms),
  );
}
