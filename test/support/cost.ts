/** What a call costs: time and memory, measured so that a busy machine does not fail a test. */
import v8 from "node:v8";
import { runInNewContext } from "node:vm";

export interface Cost {
  ms: number;
  /** The most that the heap held beyond what it held before, garbage included. */
  megabytes: number;
}

v8.setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** The best of a few runs, after one that warms up. */
export function cost(run: () => unknown, runs = 5): Cost {
  run();
  const costs = Array.from({ length: runs }, () => once(run));
  return {
    ms: Math.min(...costs.map(({ ms }) => ms)),
    megabytes: Math.min(...costs.map(({ megabytes }) => megabytes)),
  };
}

/** The heap is largest right before a collection, or at the end. */
function once(run: () => unknown): Cost {
  collectGarbage();
  const profiler = new v8.GCProfiler();
  const before = process.memoryUsage().heapUsed;
  profiler.start();
  const startedAt = performance.now();
  run();
  const ms = performance.now() - startedAt;
  const after = process.memoryUsage().heapUsed;
  const peaks = profiler.stop()?.statistics.map(({ beforeGC }) => beforeGC.heapStatistics.usedHeapSize) ?? [];
  return { ms, megabytes: (Math.max(after, ...peaks) - before) / 1024 / 1024 };
}
