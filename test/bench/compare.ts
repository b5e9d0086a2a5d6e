/** `npm run bench`: compares cold starts with the usual way to ship such functions. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fetchNode24 } from "../support/node-24.mjs";
import { measureColdStarts } from "./cold/measure.ts";
import { startBenchEngine } from "./engine/start.ts";
import { report } from "./report.ts";
import { stateWith } from "./requests.ts";

/** `wanted` is "current" or "24". */
export async function compare(rounds: number, wanted: string): Promise<string[]> {
  const node = wanted === "current" ? process.execPath : path.join(fetchNode24().bin, "node");
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const engine = await startBenchEngine();
  await engine.store(stateWith());
  console.log(`Node ${version}: ${rounds} cold starts of each set-up, in turn`);
  const lines = await measureColdStarts({ node, environment: engine.overTls, rounds });
  return report("bench", lines, ["burgee", "usual"], { node: version });
}
