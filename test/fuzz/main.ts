/**
 * `npm run fuzz`: sends hostile requests to the service, and checks the response, the processor time, the memory,
 * the log and the table after each request.
 */
import fc from "fast-check";
import { type Options, readOptions } from "./options.ts";
import type { Memory } from "./probe.ts";
import { reproduce } from "./reproduce.ts";
import { runScenario, type Tally } from "./scenario.ts";
import { type FuzzedServer, startFuzzedServer } from "./server.ts";
import { scenario, type Taken } from "./steps.ts";
import { openEngine } from "./table.ts";

/** Scenarios, of about ten requests each, between two checks of the memory. */
const scenariosPerRound = 20;
/** Memory is compared only after code has been compiled and connections have been opened. */
const warmUpRequests = 1000;
const mostGrowthMb = 8;
/** The time limit for shrinking a found case. */
const longestRoundMs = 300_000;

async function fuzz({ runs, seed, path }: Options): Promise<void> {
  const startedAt = performance.now();
  const tally: Tally = { requests: 0, answers: new Map(), worstCpuMs: 0 };
  const samples: Memory[] = [];
  let server = await startFuzzedServer();
  let session = openEngine(server.engine);
  let taken: Taken[] = [];
  const holds = fc.asyncProperty(scenario, async (drawn) => {
    if (server.hasEnded()) {
      server = await startFuzzedServer();
      session = openEngine(server.engine);
    }
    const steps: Taken[] = [];
    try {
      await runScenario(drawn, { server, session, tally }, steps);
    } catch (error) {
      taken = steps;
      throw error;
    }
  });
  for (let round = 0; tally.requests < runs; round++) {
    const result = await fc.check(holds, {
      seed: seed + round,
      numRuns: scenariosPerRound,
      interruptAfterTimeLimit: longestRoundMs,
      ...(path !== undefined && { path }),
    });
    if (result.failed) {
      const found = `${result.errorInstance}\n\nFound after ${tally.requests} requests`;
      console.error(`\n${found}. The steps, from a fresh state:\n\n${reproduce(taken, server.port)}`);
      console.error(`\nnpm run fuzz -- --seed ${seed + round} --path ${result.counterexamplePath}`);
      server.stop();
      process.exit(1);
    }
    if (tally.requests >= warmUpRequests || tally.requests >= runs) samples.push(await server.memory());
    if (round % 20 === 19) console.log(progress(tally, startedAt, samples));
    if (path !== undefined) break;
  }
  await finish(server, { tally, samples, startedAt, seed });
}

async function finish(
  server: FuzzedServer,
  { tally, samples, startedAt, seed }: { tally: Tally; samples: Memory[]; startedAt: number; seed: number },
): Promise<void> {
  server.stop();
  const [first, last] = [samples[0], samples.at(-1)];
  console.log(progress(tally, startedAt, samples));
  for (const [what, times] of [...tally.answers].sort()) console.log(`${String(times).padStart(8)}  ${what}`);
  console.log(`No issues. Seed ${seed}.`);
  if (!first || !last) return;
  const growth = (last.heap - first.heap) / 1024 / 1024;
  if (growth > mostGrowthMb) throw new Error(`the heap grew by ${growth.toFixed(1)} MB`);
}

function progress({ requests, worstCpuMs }: Tally, startedAt: number, samples: readonly Memory[]): string {
  const seconds = (performance.now() - startedAt) / 1000;
  const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  const [first, last] = [samples[0], samples.at(-1)];
  return [
    `${requests} requests in ${seconds.toFixed(0)} s`,
    `at most ${worstCpuMs.toFixed(0)} ms of processor time for one`,
    ...(first && last
      ? [
          `heap from ${mb(first.heap)} to ${mb(last.heap)}`,
          `resident from ${mb(first.rss)} to ${mb(last.rss)}`,
        ]
      : []),
  ].join("; ");
}

await fuzz(readOptions(process.argv.slice(2)));
