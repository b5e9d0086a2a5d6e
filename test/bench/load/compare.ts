/** Compares two loads that are fired in turn. */
import type { goals } from "../goals.ts";
import type { Line } from "../report.ts";
import { ratio, summarise } from "../statistics.ts";
import type { Fired } from "./fire.ts";

export type Goals = Partial<Record<keyof Fired, keyof typeof goals>>;

/** The first round is discarded: code is compiled during it. */
export async function fireInTurn<Each>(
  rounds: number,
  load: () => Promise<Each>,
  other: () => Promise<Each>,
): Promise<[Each[], Each[]]> {
  const fired: [Each[], Each[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const [one, two] = [await load(), await other()];
    if (round === 0) continue;
    fired[0].push(one);
    fired[1].push(two);
  }
  return fired;
}

export function loadLines(what: string, fired: [Fired[], Fired[]], goals: Goals): Line[] {
  const line = (words: string, unit: string, member: keyof Fired, isHigherBetter = false): Line => {
    const [ours, others] = fired.map((each) => each.map((one) => one[member])) as [number[], number[]];
    return {
      what: `${what}: ${words}`,
      unit,
      burgee: summarise(ours),
      other: summarise(others),
      ratio: isHigherBetter ? ratio(others, ours) : ratio(ours, others),
      goal: goals[member],
    };
  };
  return [
    line("rate of successes", "requests/s", "perSecond", true),
    line("p50", "ms", "p50"),
    line("p99", "ms", "p99"),
    {
      ...{ what: `${what}: not 2xx`, unit: "requests in all", goal: goals.refused },
      ...{ burgee: summarise([refusedIn(fired[0])]), other: summarise([refusedIn(fired[1])]) },
    },
  ];
}

/** The sum, as a median would hide those of a single round. */
function refusedIn(runs: readonly Fired[]): number {
  return runs.reduce((sum, { refused }) => sum + refused, 0);
}
