/** `npm run bench -- --unleash`: loads the local server alternating with Unleash, and counts stored changes. */
import { startBurgee } from "../load/burgee.ts";
import { fireInTurn, type Goals, loadLines } from "../load/compare.ts";
import { fireAt } from "../load/fire.ts";
import type { Target } from "../load/target.ts";
import { type Line, report } from "../report.ts";
import { type Load, loads, shotsOf } from "./loads.ts";
import { overlap } from "./overlap.ts";
import { startUnleash } from "./server.ts";

const rounds = 5;
const seconds = 4;

interface Choice {
  /** Leaves the loads out, and writes no file. */
  overlapOnly: boolean;
  /** Of the loads only those beside Unleash 8.2.0. */
  strategiesOnly: boolean;
  /** Burgee keeps its data in a folder, not in memory, on which each write waits. */
  hasFolder: boolean;
}

export async function unleash({ overlapOnly, strategiesOnly, hasFolder }: Choice): Promise<string[]> {
  const [burgee, unleash6] = [await startBurgee({ hasFolder }), await startUnleash("6.10.1")];
  const lines: Line[] = [];
  const fireAll = async (other: Target, all: readonly Load[]) => {
    for (const load of all) {
      const { operation, connections, on } = load;
      const where = on === undefined ? "" : ` of ${on} feature${on === 1 ? "" : "s"}`;
      const what = `${operation}${where}, ${connections} connections`;
      console.log(what);
      const run = (target: Target) => {
        const shots = shotsOf(target, load);
        return () => fireAt(target, shots, connections, seconds);
      };
      const fired = await fireInTurn(rounds, run(burgee), run(other));
      lines.push(...loadLines(what, fired, goalsOf(load, hasFolder)));
    }
  };
  const chosen = overlapOnly ? [] : loads;
  await fireAll(unleash6, strategiesOnly ? [] : chosen.filter(({ version }) => version === undefined));
  // Started only now, because it would disturb the load.
  const unleash8 = await startUnleash("8.2.0");
  await fireAll(
    unleash8,
    chosen.filter(({ version }) => version === "8.2.0"),
  );
  const kept = await overlap({ Burgee: burgee, "Unleash 6.10.1": unleash6, "Unleash 8.2.0": unleash8 });
  return overlapOnly ? [] : report("unleash", lines, ["burgee", "unleash"], { kept });
}

function goalsOf({ on, goal }: Load, hasFolder: boolean): Goals {
  if (hasFolder) return { perSecond: "unleashFolder" };
  return { ...(goal && { perSecond: goal }), ...(on !== 1 && { p99: "unleash" }) };
}
