/** What a call costs: time and memory, measured so that a busy machine does not fail a test. */
import v8 from "node:v8";
import { runInNewContext } from "node:vm";

v8.setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** The best of a few runs, after one that warms up. */
export function milliseconds(run: () => unknown, runs = 4): number {
  run();
  return Math.min(...Array.from({ length: runs }, () => timeOf(run)));
}

/** The most that the heap holds beyond what it held before, garbage included. */
export function megabytes(run: () => unknown): number {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const profiler = new v8.GCProfiler();
  profiler.start();
  run();
  const after = process.memoryUsage().heapUsed;
  // The heap is largest right before a collection, or at the end.
  const peaks = profiler.stop()?.statistics.map(({ beforeGC }) => beforeGC.heapStatistics.usedHeapSize) ?? [];
  return (Math.max(after, ...peaks) - before) / 1024 / 1024;
}

/** By the clock or by the processor, whichever is less: time in which others had the processor does not count. */
function timeOf(run: () => unknown): number {
  const startedAt = performance.now();
  const usage = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(usage);
  return Math.min(performance.now() - startedAt, (user + system) / 1000);
}
