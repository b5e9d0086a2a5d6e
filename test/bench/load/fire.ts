/** Runs one load on one server, and summarises it. */
import type { Autocannon } from "./autocannon.ts";
import { type Operation, operations } from "./operations.ts";
import { features, richFeatures, type Target } from "./target.ts";
import { type MemoryOverTime, watchMemory } from "./watch-memory.ts";

export interface Load {
  operation: Operation;
  connections: number;
  seconds: number;
  /** On one feature, instead of all. */
  isHot?: boolean;
  /** On features whose variants have a payload and overrides. */
  isRich?: boolean;
}

export interface LoadLine extends Load {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Responses that were not 2xx. */
  refused: number;
  memory: MemoryOverTime;
}

export async function fire(autocannon: Autocannon, target: Target, load: Load): Promise<LoadLine> {
  const { operation, connections, seconds: duration, isHot = false, isRich = false } = load;
  const names = isRich ? richFeatures : features;
  const shoot = operations[operation];
  let number = 0;
  const setupRequest = (request: object) => {
    const feature = names[isHot ? 0 : Math.floor(Math.random() * names.length)] ?? "";
    return { ...request, ...shoot(target.projectOf(feature), feature, number++) };
  };
  const { url, authorization } = target;
  const headers = { authorization, "content-type": "application/json" };
  const stopWatching = watchMemory(target);
  const fired = await autocannon({ url, connections, duration, headers, requests: [{ setupRequest }] });
  const memory = await stopWatching();
  const { requests, latency, errors, timeouts, statusCodeStats } = fired;
  const refused = Object.entries(statusCodeStats)
    .filter(([status]) => !status.startsWith("2"))
    .reduce((sum, [, { count }]) => sum + count, errors + timeouts);
  return { ...load, perSecond: requests.average, p50: latency.p50, p99: latency.p99, refused, memory };
}
