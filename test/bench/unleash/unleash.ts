/** `npm run bench -- --unleash`: loads the local server alternating with Unleash on PostgreSQL. */
import { prepareBurgee } from "../load/burgee.ts";
import { type Fired, fire } from "../load/clients.ts";
import type { Prepared, Target } from "../load/target.ts";
import { writeReport } from "../machine.ts";
import { digits, formatTable } from "../report.ts";
import { ratio, summarize } from "../statistics.ts";
import { type Load, loads, overlap, shotsOf } from "./loads.ts";
import { prepareUnleash, version } from "./server.ts";

const rounds = 5;
const seconds = 4;

interface Line {
  what: string;
  burgee: number;
  unleash: number;
  /** How many times better Burgee is. */
  ahead: number;
}

export async function unleash(): Promise<string[]> {
  const prepared: Prepared[] = [];
  const started: Target[] = [];
  try {
    for (const prepare of [prepareBurgee, prepareUnleash]) prepared.push(await prepare());
    for (const { start } of prepared) started.push(await start());
    return await compareBoth(started);
  } finally {
    for (const { stop } of started) await stop();
    for (const { remove } of prepared) await remove();
  }
}

async function compareBoth(targets: readonly Target[]): Promise<string[]> {
  const lines: Line[] = [];
  for (const load of loads) lines.push(...(await fireInTurn(targets, load)));
  const kept: string[] = [];
  for (const target of targets) kept.push(await overlap(target));
  const rows = lines.map(({ what, burgee, unleash, ahead }) => [
    ...[what, digits(burgee), digits(unleash)],
    `${ahead.toFixed(2)} x`,
  ]);
  const keptRow = ["concurrent patches with a 200 that are stored", ...kept, ""];
  console.log(`\n${formatTable([["what", "burgee", "unleash", "ahead"], ...rows, keptRow])}`);
  await writeReport("unleash", { node: process.version, unleash: version, lines, kept });
  const behind = lines.filter(({ ahead }) => ahead < 1);
  return behind.map(({ what, ahead }) => `${what}: ${ahead.toFixed(2)} x`);
}

async function fireInTurn(targets: readonly Target[], load: Load): Promise<Line[]> {
  const fired = targets.map((): Fired[] => []);
  // The first round is discarded: code is compiled during it.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, target] of targets.entries()) {
      const one = await fire(target, shotsOf(target, load), load.connections, seconds);
      if (round > 0) fired[index]?.push(one);
    }
  }
  const of = (member: keyof Fired) => fired.map((runs) => runs.map((run) => run[member]));
  const [rates = [], otherRates = []] = of("perSecond");
  const [p99 = Number.NaN, otherP99 = Number.NaN] = of("p99").map((values) => summarize(values).median);
  const refused = of("refused").map((counts) => counts.reduce((sum, count) => sum + count, 0));
  const what = `${load.operation}${load.isHot ? " of one feature" : ""}, ${load.connections} connections`;
  console.log(`${what}: refused ${refused.join(" and ")}`);
  return [
    {
      what: `${what}, requests/s`,
      burgee: summarize(rates).median,
      unleash: summarize(otherRates).median,
      ahead: ratio(rates, otherRates).median,
    },
    { what: `${what}, p99 ms`, burgee: p99, unleash: otherP99, ahead: otherP99 / p99 },
  ];
}
