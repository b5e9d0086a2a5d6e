/** Acts as one sandbox: loads a handler, calls it, and reports what that took. */
import { writeSync } from "node:fs";
import { createRequire } from "node:module";

export interface Job {
  file: string;
  /** API Gateway events; "{n}" in a body becomes a unique number. */
  event: { body: string };
  /** Calls after the first, half of them to warm up. */
  calls: number;
  /** The number of this sandbox, which makes its requests unique. */
  number: number;
}

export interface Sample {
  /** Milliseconds of processor time, of all threads. */
  init: number;
  /** Of the init and the first call. */
  first: number;
  /** As `first`, with the call at Lambda's share of a processor; the init has a whole one. */
  caller: number;
  warm: number;
  /** The peak resident memory after the first call, in MB. */
  peak: number;
  status: number;
}

/** The share of a processor that 1,024 MB get; 1,769 MB get a whole one. */
const share = 1024 / 1769;
const job: Job = JSON.parse(process.argv[2] ?? "");
const require = createRequire(import.meta.url);
const context = { awsRequestId: "bench", getRemainingTimeInMillis: () => 60_000 };

const usage = process.cpuUsage();
const { handler } = require(job.file);
// Lambda's runtime requests the first event in the next turn of the event loop.
await new Promise((resolve) => setImmediate(resolve));
const init = cpu();
const { statusCode: status } = await call(0);
const first = cpu();
const caller = init + (first - init) / share;
const peak = process.resourceUsage().maxRSS / 1024;
const warm = await warmCall();
const sample: Sample = { init, first, caller, warm, peak, status };
writeSync(3, JSON.stringify(sample));
process.exit();

function cpu(): number {
  const { user, system } = process.cpuUsage(usage);
  return (user + system) / 1000;
}

async function call(index: number): Promise<{ statusCode: number }> {
  const body = job.event.body.replaceAll("{n}", `${job.number}-${index}`);
  return handler({ ...job.event, body }, context);
}

async function warmCall(): Promise<number> {
  const half = Math.floor(job.calls / 2);
  for (let index = 1; index <= half; index++) await call(index);
  const before = cpu();
  for (let index = 1; index <= half; index++) await call(half + index);
  return (cpu() - before) / half;
}
