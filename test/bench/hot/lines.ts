/** Compares callers on one feature with callers on features of their own. */
import type { goals } from "../goals.ts";
import type { Line } from "../report.ts";
import { ratio, summarize } from "../statistics.ts";
import type { InTurn, Run } from "./run.ts";

export interface Setup {
  what: string;
  runs: InTurn;
  goals: Partial<Record<keyof Run, keyof typeof goals>>;
}

export function hotLines({ what, runs, goals }: Setup): Line[] {
  const { "one feature": one, "own features": own } = runs;
  const of = (runs: readonly Run[], member: keyof Run) => runs.map((run) => run[member] ?? Number.NaN);
  const line = (words: string, unit: string, member: keyof Run, goal = goals[member]): Line => ({
    what: `${what}: ${words}`,
    unit,
    burgee: summarize(of(one, member)),
    usual: summarize(of(own, member)),
    ...(goal && { goal }),
  });
  const msPerSuccess = (runs: readonly Run[]) => summarize(of(runs, "perSecond").map((rate) => 1000 / rate));
  const isCounted = one.some(({ calls }) => calls !== undefined);
  return [
    {
      ...line("of all callers together", "ms a success", "perSecond"),
      burgee: msPerSuccess(one),
      usual: msPerSuccess(own),
      ratio: ratio(of(own, "perSecond"), of(one, "perSecond")),
    },
    line("p50", "ms", "p50"),
    { ...line("p99", "ms", "p99"), ratio: ratio(of(one, "p99"), of(own, "p99")) },
    line("longest", "ms", "longest"),
    {
      ...line("p99 to p50", "on one feature", "p99", "hotTail"),
      ratio: ratio(of(one, "p99"), of(one, "p50")),
    },
    line("not 200", "requests", "refused", "hotNone"),
    ...(isCounted
      ? [
          line("calls to the database", "a success", "calls"),
          line("write units", "a success", "units"),
          line("acknowledged but lost", "patches", "lost", "hotNone"),
        ]
      : []),
  ];
}
