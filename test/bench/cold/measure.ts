/** Measures cold starts and warm requests of three set-ups in turn, each in a process of its own. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { goals } from "../goals.ts";
import { compared, type Line } from "../report.ts";
import { requests } from "../requests.ts";
import { type Name, startSandbox } from "../sandbox/start.ts";
import { summarise } from "../statistics.ts";

const folders = { burgee: "dist", plain: "dist/bench/plain", usual: "dist/bench/usual" };
type Setup = keyof typeof folders;

/** The share of a processor that 1,024 MB get; 1,769 MB get a whole one. */
const share = 1024 / 1769;
/** In the first rounds each sandbox serves warm requests, too; the first half of them is not measured. */
const warmRounds = 5;
const warmCalls = 100;

/** Milliseconds of processor time, and MB. */
interface Sample {
  init: number;
  /** Of the init and the first call. */
  first: number;
  /** As `first`, with the call at Lambda's share of a processor; the init has a whole one. */
  caller: number;
  peak: number;
  warm: number;
}

interface Options {
  node: string;
  environment: Record<string, string>;
  rounds: number;
}

export async function measureColdStarts(options: Options): Promise<Line[]> {
  const lines: Line[] = [];
  for (const name of ["tags", "variants"] as const) {
    const samples: Record<Setup, Sample[]> = { burgee: [], plain: [], usual: [] };
    for (let round = 0; round < options.rounds; round++) {
      const order = ["burgee", "plain", "usual"] as const;
      for (const setup of round % 2 === 0 ? order : order.toReversed()) {
        samples[setup].push(await takeSample(name, setup, round < warmRounds ? warmCalls : 0, options));
      }
    }
    lines.push(...linesOf(name, samples));
  }
  return lines;
}

let sent = 0;

async function takeSample(name: Name, setup: Setup, calls: number, options: Options): Promise<Sample> {
  const sandbox = startSandbox(name, { ...options, folder: folders[setup] });
  const { event, status } = requests[name];
  const call = async () => {
    const answer = await sandbox.call({ ...event, body: event.body.replaceAll("{n}", String(sent++)) });
    if (answer.status !== status) throw new Error(`${setup} ${name} returned ${answer.status}`);
    return answer;
  };
  const { init, total, peak } = await call();
  const warm: number[] = [];
  for (let index = 0; index < calls; index++) warm.push((await call()).call);
  await sandbox.stop();
  const measured = warm.slice(calls / 2);
  return {
    init,
    first: total,
    caller: init + (total - init) / share,
    peak,
    warm: measured.reduce((sum, each) => sum + each, 0) / measured.length,
  };
}

function linesOf(name: Name, samples: Record<Setup, Sample[]>): Line[] {
  const line = (
    what: string,
    unit: string,
    metric: keyof Sample,
    goal?: keyof typeof goals,
    other: Setup = "usual",
  ) => {
    const measured = (setup: Setup) => samples[setup].map((one) => one[metric]).filter(Number.isFinite);
    return compared({ what: `${name}, ${other}: ${what}`, unit, goal }, measured("burgee"), measured(other));
  };
  const gzipped = gzipSync(readFileSync(`dist/${name}.cjs`)).length / 1024;
  return [
    { what: `${name}: deployed`, unit: "KB gzip", burgee: summarise([gzipped]), goal: "gzip" },
    line("init", "ms CPU", "init", "init"),
    line("init and first request", "ms CPU", "first", "first"),
    line("init and first request", "ms CPU", "first", "firstOfPlain", "plain"),
    line("init, and first request at 1,024 MB", "ms", "caller", "caller"),
    line("peak memory", "MB", "peak", "peak"),
    line("warm request", "ms CPU", "warm"),
    line("warm request", "ms CPU", "warm", undefined, "plain"),
  ];
}
