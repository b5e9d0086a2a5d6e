/** What a call costs: time and memory, measured so that a busy machine does not fail a test. */
import v8 from "node:v8";
import { runInNewContext } from "node:vm";

v8.setFlagsFromString("--expose-gc");
const collectGarbage: (options?: { type: "minor" }) => void = runInNewContext("gc");

/** Of the first run that costs at most `enough`, or of the cheapest: what costs too much does so in each run. */
function cheapest(measure: () => number, enough: number, runs = 20): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && least > enough; run++) least = Math.min(least, measure());
  return least;
}

export function milliseconds(run: () => unknown, enough: number, runs?: number): number {
  return cheapest(() => timeOf(run), enough, runs);
}

/** By the clock or by the processor, whichever is less: time in which other processes ran does not count. */
function timeOf(run: () => unknown): number {
  const startedAt = performance.now();
  const usage = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(usage);
  return Math.min(performance.now() - startedAt, (user + system) / 1000);
}

/**
 * The most that was left after a collection of garbage, beyond what there was before. How much garbage piles up between
 * two collections depends on the version of Node, and on how busy the machine is.
 */
export function megabytes(run: () => unknown, enough: number): number {
  return cheapest(() => {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const profiler = new v8.GCProfiler();
    profiler.start();
    // The result is part of what a run needs.
    const results = [run()];
    collectGarbage({ type: "minor" });
    results.length = 0;
    const left = profiler.stop()?.statistics.map(({ afterGC }) => afterGC.heapStatistics.usedHeapSize) ?? [];
    return (Math.max(...left) - before) / 1024 / 1024;
  }, enough);
}
