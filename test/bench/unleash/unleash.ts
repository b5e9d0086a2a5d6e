/** `npm run bench -- --unleash`: loads the local server alternating with Unleash on PostgreSQL. */
import { startBurgee } from "../load/burgee.ts";
import { fireInTurn, loadLines } from "../load/compare.ts";
import { fireAt } from "../load/fire.ts";
import type { Target } from "../load/target.ts";
import { type Line, report } from "../report.ts";
import { loads, overlap, shotsOf } from "./loads.ts";
import { startUnleash, version } from "./server.ts";

const rounds = 5;
const seconds = 4;

export async function unleash(): Promise<string[]> {
  const [ours, theirs] = [await startBurgee(), await startUnleash()];
  const lines: Line[] = [];
  for (const load of loads) {
    const { operation, connections, isHot } = load;
    const what = `${operation}${isHot ? " of one feature" : ""}, ${connections} connections`;
    console.log(what);
    const run = (target: Target) => () => fireAt(target, shotsOf(target, load), connections, seconds);
    const fired = await fireInTurn(rounds, run(ours), run(theirs));
    lines.push(...loadLines(what, fired, { perSecond: "unleash", p99: "unleash" }));
  }
  const kept = { burgee: await overlap(ours), unleash: await overlap(theirs) };
  console.log("\nconcurrent patches with a 200 that are stored:", kept);
  return report("unleash", lines, ["burgee", "unleash"], { unleash: version, kept });
}
