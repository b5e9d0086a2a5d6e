/** `npm run bench`: compares cold starts and patches with the usual way to ship such functions, and counts calls. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fetchNode24 } from "../support/node-24.mjs";
import { formatOperations, measureOperations } from "./calls/measure.ts";
import { coldLines, warmLines } from "./cold/lines.ts";
import { measure } from "./cold/measure.ts";
import { buildSetups } from "./cold/setups.ts";
import { startEngine } from "./engine/start.ts";
import { writeReport } from "./machine.ts";
import { measurePatch } from "./patch/measure.ts";
import { formatLines, missed } from "./report.ts";
import { apiKey, stateWith } from "./requests.ts";

/** `wanted` is "current" or "24". */
export async function compare(rounds: number, wanted: string): Promise<string[]> {
  const node = wanted === "current" ? process.execPath : path.join(fetchNode24().bin, "node");
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const setups = await buildSetups();
  const engine = await startEngine();
  try {
    await engine.store(stateWith());
    await engine.store(apiKey);
    const shared = { node, environment: engine.environment, setups };
    console.log(`Node ${version}: ${rounds} cold starts of each set-up, in turn`);
    const cold = await measure({ ...shared, rounds, calls: 0 });
    console.log("warm requests");
    const lasting = setups.filter(({ name }) => name !== "without warm-up");
    const warm = await measure({ ...shared, setups: lasting, rounds: 5, calls: 100 });
    console.log("patches without I/O");
    const lines = [...coldLines(cold), ...warmLines(warm), measurePatch(node, 5)];
    const operations = await measureOperations(engine);
    console.log(`\n${formatLines(lines, ["burgee", "usual"])}\n\n${formatOperations(operations)}`);
    await writeReport("bench", { node: version, rounds, lines, operations });
    return missed(lines);
  } finally {
    engine.stop();
  }
}
