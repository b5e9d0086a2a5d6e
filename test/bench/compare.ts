/** `npm run bench`: compares cold starts, patches and database calls with the usual way to ship such functions. */

import { measureOperations } from "./calls/measure.ts";
import { coldLines, warmLines } from "./cold/lines.ts";
import { measure } from "./cold/measure.ts";
import { buildSetups } from "./cold/setups.ts";
import { startEngine } from "./engine/start.ts";
import { writeReport } from "./machine.ts";
import { findNode, versionOf } from "./node.ts";
import type { Options } from "./options.ts";
import { measurePatches } from "./patch/measure.ts";
import { large, small } from "./patch/sizes.ts";
import { formatLines, formatOperations, type Line, missed } from "./report.ts";
import { apiKey, stateWith } from "./requests.ts";

export async function compare({ rounds, node: wanted }: Options): Promise<string[]> {
  const node = findNode(wanted);
  const setups = await buildSetups();
  const engine = await startEngine();
  try {
    await engine.store(stateWith());
    await engine.store(apiKey);
    const shared = { node, environment: engine.environment, progress };
    console.log(`Node ${versionOf(node)}: ${rounds} cold starts of each set-up, in turn`);
    const cold = await measure({ ...shared, setups, rounds, calls: 0 });
    const working = setups.filter(({ name }) => name === "burgee" || name === "usual");
    console.log("warm requests");
    const warm = await measure({ ...shared, setups: working, rounds: 7, calls: 400 });
    console.log("patches without I/O");
    const patches = measurePatches(node, [small, large], 7);
    const lines: Line[] = [
      ...coldLines(cold, setups),
      ...warmLines(warm),
      ...patches.map(({ size, burgee, plain, ratio }): Line => {
        const { variants, environments, operations } = size;
        const words = `${variants} variants x ${environments} environments, ${operations} operation`;
        const line = {
          what: `patch of ${words}${operations === 1 ? "" : "s"}`,
          unit: "ms CPU",
          burgee,
          usual: plain,
        };
        return { ...line, ratio, ...(size === large && { goal: "largePatch" }) };
      }),
    ];
    const operations = await measureOperations(engine);
    console.log(`\n${formatLines(lines)}\n\n${formatOperations(operations)}`);
    await writeReport("bench", { node: versionOf(node), rounds, lines, operations });
    return missed(lines);
  } finally {
    engine.stop();
  }
}

function progress(done: number): void {
  process.stdout.write(process.stdout.isTTY ? `\r${done} ` : ".");
}
