/** `npm run bench -- --load`: loads the local server and its engine, by autocannon in this process. */
import { writeReport } from "../machine.ts";
import type { Options } from "../options.ts";
import { loadAutocannon } from "./autocannon.ts";
import { measureBoots } from "./boots.ts";
import { prepareBurgee } from "./burgee.ts";
import { fire, type Load, type LoadLine } from "./fire.ts";
import { formatBoot, formatLoads, missedBy } from "./lines.ts";

const seconds = 8;
const loads: Load[] = (["tag update", "variant patch"] as const).flatMap((operation) => [
  // The first load is discarded: code is compiled during it.
  { operation, connections: 10, seconds: 3 },
  ...[1, 10, 50].map((connections) => ({ operation, connections, seconds })),
]);

export async function load({ minutes }: Options): Promise<string[]> {
  const autocannon = loadAutocannon();
  const burgee = await prepareBurgee();
  const lines: LoadLine[] = [];
  try {
    const [booted] = await measureBoots([burgee.start]);
    if (!booted) throw new Error("no server was started");
    const { boot, idle, target } = booted;
    try {
      for (const one of [...loads, longest(minutes)]) {
        const line = await fire(autocannon, target, one);
        console.log(`${one.operation} at ${one.connections}: ${line.perSecond.toFixed(0)} requests/s`);
        if (one.seconds >= seconds) lines.push(line);
      }
    } finally {
      await target.stop();
    }
    console.log(`\n${formatLoads(lines)}\n\n${formatBoot(boot, idle)}`);
    await writeReport("load", { node: process.version, boot, idle, lines });
    return missedBy(lines);
  } finally {
    await burgee.remove();
  }
}

/** Growing memory shows after minutes, not seconds. */
function longest(minutes: number): Load {
  return { operation: "one or the other", connections: 10, seconds: minutes * 60 };
}
