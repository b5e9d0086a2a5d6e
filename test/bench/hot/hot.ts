/** `npm run bench -- --hot`: callers that patch one feature, alternating with as many callers on features of their own. */
import { startEngine } from "../../../infra/local/engine.ts";
import { startDynamoDbLocal } from "../../support/dynamodb-local.ts";
import { prepareBurgee } from "../load/burgee.ts";
import { writeReport } from "../machine.ts";
import { formatLines, missed } from "../report.ts";
import { runClients } from "./clients.ts";
import { hotLines, type Setup } from "./lines.ts";
import { type InTurn, type Load, loads, type Run } from "./run.ts";
import { startSandboxes } from "./sandboxes.ts";

const rounds = 5;
const seconds = 8;
/** Writes to one environment are sequential, so the ratio grows with the number of callers. */
const counts = [
  { count: 8, goals: { perSecond: "hotRate", p99: "hotP99", calls: "hotCalls" } },
  { count: 25, goals: {} },
] as const;
const clients = 10;

export async function hot(): Promise<string[]> {
  const setups: Setup[] = [];
  for (const { name, start } of engines) {
    const { endpoint, stop } = await start();
    try {
      for (const { count, goals } of counts) {
        const sandboxes = await startSandboxes(endpoint, count);
        try {
          const what = `${count} sandboxes, ${name}`;
          setups.push({ what, goals, runs: await inTurn(what, (load, time) => sandboxes.run(load, time)) });
        } finally {
          sandboxes.stop();
        }
      }
    } finally {
      await stop();
    }
  }
  setups.push(await throughServer());
  const lines = setups.flatMap(hotLines);
  console.log(`\n${formatLines(lines, ["one feature", "own features"])}`);
  await writeReport("hot", { node: process.version, lines, setups });
  return missed(lines);
}

const engines = [
  { name: "embedded engine", start: () => startEngine() },
  { name: "DynamoDB Local", start: startDynamoDbLocal },
];

async function throughServer(): Promise<Setup> {
  const burgee = await prepareBurgee();
  try {
    const target = await burgee.start();
    try {
      const what = `${clients} clients, local server`;
      const goals = { perSecond: "hotServerRate", p99: "hotServerP99" } as const;
      return {
        what,
        goals,
        runs: await inTurn(what, (load, time) => runClients(target, load, clients, time)),
      };
    } finally {
      await target.stop();
    }
  } finally {
    await burgee.remove();
  }
}

/** Discards the first round, in which code is compiled. */
async function inTurn(what: string, run: (load: Load, seconds: number) => Promise<Run>): Promise<InTurn> {
  const runs: InTurn = { "one feature": [], "own features": [] };
  for (let round = 0; round <= rounds; round++) {
    for (const load of loads) {
      const one = await run(load, round === 0 ? 2 : seconds);
      if (round > 0) runs[load].push(one);
    }
  }
  console.log(what);
  return runs;
}
