/** Acts as one sandbox: loads a handler, responds to one event after the other, and reports the processor time. */
import { createRequire } from "node:module";

export interface Answer {
  status: number;
  body: string;
  headers: Readonly<Record<string, string>>;
  /** Milliseconds of processor time, of all threads. */
  init: number;
  /** Of this call. */
  call: number;
  /** Of the init and all calls. */
  total: number;
  /** The peak resident memory, in MB. */
  peak: number;
}

/** The timeout of our functions; API Gateway's is 30 seconds. */
const timeoutMs = 10_000;
const usage = process.cpuUsage();
const { handler } = createRequire(import.meta.url)(process.argv[2] ?? "");
// Lambda's runtime requests the first event in the next turn of the event loop.
await new Promise((resolve) => setImmediate(resolve));
const init = cpu();

process.on("message", async (event) => {
  const before = cpu();
  const endsAt = Date.now() + timeoutMs;
  const context = { awsRequestId: "bench", getRemainingTimeInMillis: () => endsAt - Date.now() };
  const { statusCode, body, headers } = await handler(event, context);
  const total = cpu();
  const peak = process.resourceUsage().maxRSS / 1024;
  const answer: Answer = { status: statusCode, body, headers, init, call: total - before, total, peak };
  process.send?.(answer);
});
process.on("disconnect", () => process.exit());

function cpu(): number {
  const { user, system } = process.cpuUsage(usage);
  return (user + system) / 1000;
}
