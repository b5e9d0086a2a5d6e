/** `npm run bench -- --unleash`: loads the local server alternating with Unleash on PostgreSQL. */
import { type Autocannon, loadAutocannon } from "../load/autocannon.ts";
import { type Booted, measureBoots } from "../load/boots.ts";
import { prepareBurgee } from "../load/burgee.ts";
import { fire, type Load, type LoadLine } from "../load/fire.ts";
import type { Prepared } from "../load/target.ts";
import { writeReport } from "../machine.ts";
import { type Both, behindIn, format, loadLines, memoryRows, otherLines } from "./lines.ts";
import { overlap } from "./overlap.ts";
import { prepareUnleash, version } from "./server.ts";

const rounds = 5;
const seconds = 4;
const loads: Load[] = [
  ...(["tag update", "variant patch"] as const).flatMap((operation) =>
    [1, 10].map((connections) => ({ operation, connections, seconds })),
  ),
  { operation: "variant patch", connections: 10, seconds, isHot: true },
  { operation: "variant patch", connections: 1, seconds, isRich: true },
];

export async function unleash(): Promise<string[]> {
  const prepared: Prepared[] = [];
  try {
    for (const prepare of [prepareBurgee, prepareUnleash]) prepared.push(await prepare());
    console.log("starts, in turn");
    const [ours, theirs] = await measureBoots(prepared.map(({ start }) => start));
    if (!ours || !theirs) throw new Error("no servers were started");
    try {
      return await compareBoth(loadAutocannon(), { burgee: ours, unleash: theirs });
    } finally {
      await Promise.all([ours, theirs].map(({ target }) => target.stop()));
    }
  } finally {
    for (const { remove } of prepared) await remove();
  }
}

async function compareBoth(autocannon: Autocannon, booted: Both<Booted>): Promise<string[]> {
  const fired: Both<LoadLine[]>[] = [];
  for (const load of loads) fired.push(await fireInTurn(autocannon, booted, load));
  const all = {
    burgee: fired.flatMap(({ burgee }) => burgee),
    unleash: fired.flatMap((each) => each.unleash),
  };
  const lines = [...fired.flatMap(loadLines), ...otherLines(booted, all)];
  const { burgee: ours, unleash: theirs } = booted;
  const kept = { burgee: await overlap(ours.target), unleash: await overlap(theirs.target) };
  console.log(`\n${format(lines, [...memoryRows(all), refusedRow(all), keptRow(kept)])}`);
  await writeReport("unleash", { node: process.version, unleash: version, lines, kept, fired });
  return behindIn(lines);
}

async function fireInTurn(
  autocannon: Autocannon,
  booted: Both<Booted>,
  load: Load,
): Promise<Both<LoadLine[]>> {
  console.log(`${load.operation} at ${load.connections}, in turn`);
  const fired: Both<LoadLine[]> = { burgee: [], unleash: [] };
  // The first round is discarded: code is compiled during it.
  for (let round = 0; round <= rounds; round++) {
    for (const name of ["burgee", "unleash"] as const) {
      const line = await fire(autocannon, booted[name].target, load);
      if (round > 0) fired[name].push(line);
    }
  }
  return fired;
}

function refusedRow(fired: Both<LoadLine[]>): string[] {
  const refused = (lines: readonly LoadLine[]) => lines.reduce((sum, one) => sum + one.refused, 0);
  return ["responses that were not 2xx", String(refused(fired.burgee)), String(refused(fired.unleash)), ""];
}

function keptRow({ burgee, unleash }: Both<Awaited<ReturnType<typeof overlap>>>): string[] {
  const words = ({ acknowledged, there }: { acknowledged: number; there: number }) =>
    `${there} of ${acknowledged}`;
  return ["concurrent patches with a 200 that are stored", words(burgee), words(unleash), ""];
}
