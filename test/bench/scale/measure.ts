/** Measures what a request costs at each size of a dimension. */
import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { loadHandler } from "../calls/handler.ts";
import { unitsOf } from "../calls/measure.ts";
import type { BenchEngine } from "../engine/start.ts";
import { quietly } from "../quietly.ts";
import { type Measured, summarize } from "../statistics.ts";
import type { Dimension } from "./dimensions.ts";

export interface Point {
  count: number;
  /** Milliseconds of processor time for one request, without the engine's. */
  cpu: Measured;
  /** Milliseconds of wall-clock time, including the engine's. */
  wall: Measured;
  calls: number;
  units: number;
  /** The peak growth of the heap, in MB. */
  memory: number;
}

export interface Curve {
  name: string;
  request: string;
  limit: string;
  points: Point[];
}

interface Timed {
  cpu: number;
  wall: number;
}

v8.setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
const rounds = 9;
const perRound = 4;
const toWarmUp = 40;

export async function measureCurve(engine: BenchEngine, dimension: Dimension): Promise<Curve> {
  const { name, request, limit, counts } = dimension;
  const places = counts.map((count) => ({ count, feature: `${name.replaceAll(" ", "-")}-${count}` }));
  const timed = new Map<number, Timed[]>();
  const points: Point[] = [];
  for (const { count, feature } of places) await engine.store(dimension.stateOf(count, feature));
  // The first round warms up the compiler. Sizes take turns, so that all share the same conditions.
  for (let round = 0; round <= rounds; round++) {
    for (const { count, feature } of places) {
      const taken = await time(requestOf(dimension, count, feature), round === 0 ? toWarmUp : perRound);
      if (round > 0) timed.set(count, [...(timed.get(count) ?? []), taken]);
    }
  }
  for (const { count, feature } of places) {
    await engine.takeCharges();
    const memory = await megabytes(requestOf(dimension, count, feature));
    const charges = await engine.takeCharges();
    const { reads, writes } = unitsOf(charges);
    const [cpu, wall] = (["cpu", "wall"] as const).map((kind) =>
      summarize((timed.get(count) ?? []).map((one) => one[kind])),
    );
    if (cpu && wall) points.push({ count, cpu, wall, calls: charges.length, units: reads + writes, memory });
  }
  return { name, request, limit, points };
}

let number = 0;

function requestOf({ handler, eventOf }: Dimension, count: number, feature: string): () => Promise<void> {
  const handle = loadHandler(handler);
  const event = eventOf(count, feature);
  return async () => {
    const body = event.body.replaceAll("{n}", `by-${number++}`);
    const { statusCode, body: answer } = await quietly(() => handle({ ...event, body }));
    if (statusCode >= 300) throw new Error(`${feature} returned ${statusCode}: ${answer}`);
  };
}

async function time(run: () => Promise<void>, times: number): Promise<Timed> {
  const startedAt = performance.now();
  const usage = process.cpuUsage();
  for (let count = 0; count < times; count++) await run();
  const { user, system } = process.cpuUsage(usage);
  return { cpu: (user + system) / 1000 / times, wall: (performance.now() - startedAt) / times };
}

async function megabytes(run: () => Promise<void>): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const profiler = new v8.GCProfiler();
  profiler.start();
  await run();
  const after = process.memoryUsage().heapUsed;
  const peaks = profiler.stop()?.statistics.map(({ beforeGC }) => beforeGC.heapStatistics.usedHeapSize) ?? [];
  return (Math.max(after, ...peaks) - before) / 2 ** 20;
}
