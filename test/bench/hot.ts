/** `npm run bench -- --hot`: callers that patch one feature, alternating with as many callers on features of their own. */
import { type BenchEngine, startBenchEngine } from "./engine/start.ts";
import type { goals } from "./goals.ts";
import { compared, type Line, report } from "./report.ts";
import { features, patch, replaceStickiness, stateWith } from "./requests.ts";
import { type Sandbox, startSandbox } from "./sandbox/start.ts";
import { quantile, ratio } from "./statistics.ts";

const rounds = 5;
const seconds = 8;
const loads = ["one feature", "own features"] as const;

interface Fired {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Responses that were not 2xx. */
  refused: number;
  /** To the database, of each success. */
  calls: number;
}

type Goals = Partial<Record<keyof Fired, keyof typeof goals>>;

export async function hot(): Promise<string[]> {
  const engine = await startBenchEngine();
  await engine.store(stateWith(features));
  const ofEight: Goals = { perSecond: "hotRate", p99: "hotP99", calls: "hotCalls" };
  // Writes to one environment are sequential, so the ratio grows with the number of callers.
  const lines = [...(await compareLoads(engine, 8, ofEight)), ...(await compareLoads(engine, 25))];
  return report("hot", lines, loads);
}

async function compareLoads(engine: BenchEngine, count: number, ofCount: Goals = {}): Promise<Line[]> {
  const what = `${count} sandboxes`;
  console.log(what);
  const sandboxes = Array.from({ length: count }, () =>
    startSandbox("variants", { environment: engine.plain }),
  );
  const fired: [Fired[], Fired[]] = [[], []];
  // The first round is discarded: code is compiled during it.
  for (let round = 0; round <= rounds; round++) {
    const [one, own] = [await fire(engine, sandboxes, true), await fire(engine, sandboxes, false)];
    if (round === 0) continue;
    fired[0].push(one);
    fired[1].push(own);
  }
  for (const sandbox of sandboxes) await sandbox.stop();
  const line = (words: string, unit: string, member: keyof Fired, goal = ofCount[member]): Line => {
    const [one, own] = fired.map((each) => each.map((run) => run[member])) as [number[], number[]];
    return compared({ what: `${what}: ${words}`, unit, goal }, one, own);
  };
  const [p50s, p99s] = [fired[0].map(({ p50 }) => p50), fired[0].map(({ p99 }) => p99)];
  const rates = fired.map((each) => each.map(({ perSecond }) => perSecond)) as [number[], number[]];
  return [
    // Of a rate the higher value is better.
    { ...line("rate of successes", "requests/s", "perSecond"), ratio: ratio(rates[1], rates[0]) },
    line("p50", "ms", "p50"),
    line("p99", "ms", "p99"),
    { ...line("not 2xx", "requests", "refused", "none"), ratio: undefined },
    compared({ what: `${what}: p99 to p50`, unit: "on one feature", goal: "hotTail" }, p99s, p50s),
    { ...line("calls to the database", "a success", "calls"), ratio: undefined },
  ];
}

/** Numbers the requests of all runs, so that each can write a new value. */
let number = 0;

/** Each caller has a sandbox, and sends a request as soon as it has the response to the previous one. */
async function fire({ wire }: BenchEngine, sandboxes: readonly Sandbox[], isHot: boolean): Promise<Fired> {
  wire.reset();
  // Like DynamoDB's latency.
  wire.decide(() => ({ beforeMs: 2 + Math.random() * 6 }));
  const until = performance.now() + seconds * 1000;
  const durations: number[] = [];
  let refused = 0;
  const loop = async (sandbox: Sandbox, caller: number) => {
    const feature = features[isHot ? 0 : caller] ?? "";
    while (performance.now() < until) {
      const startedAt = performance.now();
      const { status } = await sandbox.call(patch(feature, replaceStickiness(`by-${number++}`)));
      if (status < 300) durations.push(performance.now() - startedAt);
      else refused++;
    }
  };
  await Promise.all(sandboxes.map(loop));
  durations.sort((left, right) => left - right);
  return {
    perSecond: durations.length / seconds,
    p50: quantile(durations, 0.5),
    p99: quantile(durations, 0.99),
    refused,
    calls: wire.calls.length / durations.length,
  };
}
