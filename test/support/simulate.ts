/** Simulates callers that patch one feature in closed loops, on a simulated engine in virtual time. */
import { ApiError, TemporarilyUnavailable } from "../../lib/contract/errors.ts";
import { patchFeature } from "../../lib/features/patch-feature.ts";
import type { VariantStore } from "../../lib/features/stores.ts";
import { createEngine, type EngineOptions } from "./simulated-store.ts";
import { createRandom, createVirtualTime } from "./virtual-time.ts";

export interface Simulation extends EngineOptions {
  callers: number;
  seconds?: number;
  seed?: number;
  /** How many of the callers patch only the last environment. */
  ofOneEnvironment?: number;
  /** How many of the callers send an ETag in If-Match. */
  withPrecondition?: number;
  /** The probability that a caller dies once it has a ticket. */
  deaths?: number;
  /** The probability that a patch is invalid. */
  invalid?: number;
}

export interface Outcome {
  perSecond: number;
  p50: number;
  p99: number;
  longest: number;
  longestRefusal: number;
  /** The p99 of callers that patch only one environment. */
  p99OfOne: number;
  callsPerSuccess: number;
  unitsPerSuccess: number;
  conflictsPerSuccess: number;
  throttled: number;
  /** The number of responses by status. */
  statuses: Record<string, number>;
  /** Acknowledged writes that are missing from the revisions of the environments. */
  lost: number;
}

const timeoutMs = 10_000;
const target = { project: "p", feature: "f" };
const caller = { name: "admin", permits: [{ permission: "ADMIN" as const }] };
const permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";

export async function simulate(simulation: Simulation): Promise<Outcome> {
  const { callers, seconds = 60, seed = 1, ofOneEnvironment = 0, withPrecondition = 0 } = simulation;
  const { deaths = 0, invalid = 0, environments = 2 } = simulation;
  const time = createVirtualTime();
  const random = createRandom(seed);
  const engine = createEngine(time, random, simulation);
  const durations = { whole: [] as number[], one: [] as number[] };
  const statuses: Record<string, number> = {};
  let requests = 0;
  let written = 0;
  let longestRefusal = 0;

  /** Resolves when the caller can send the next request: after the response, or after it was replaced. */
  async function request(index: number): Promise<void> {
    if (random() >= deaths) return answered(index, engine.store);
    return new Promise((resolve) => answered(index, mortal(engine.store, resolve)));
  }

  async function answered(index: number, store: VariantStore): Promise<void> {
    const startedAt = time.now();
    const id = String(requests++);
    const isOfOne = index < ofOneEnvironment;
    const environment = isOfOne ? `environment-${environments - 1}` : undefined;
    const clock = { ...time, remainingMs: () => timeoutMs - (time.now() - startedAt) };
    const path = random() < invalid ? "/7/stickiness" : "/0/stickiness";
    const precondition = index >= callers - withPrecondition ? [engine.etag()] : undefined;
    try {
      const patched = await patchFeature(inTime(store, clock.remainingMs), clock, {
        target: { ...target, environment },
        patch: [{ op: "replace", path, value: `by-${id}` }],
        form: "index",
        stamp: { id, by: caller.name, at: "", request: id },
        caller,
        permission,
        precondition,
      });
      written += patched.length;
      durations[isOfOne ? "one" : "whole"].push(time.now() - startedAt);
      count("200");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      written += (error.details ?? []).filter(({ outcome }) => outcome === "patched").length;
      longestRefusal = Math.max(longestRefusal, time.now() - startedAt);
      count(String(error.status));
    }
  }

  function count(status: string): void {
    statuses[status] = (statuses[status] ?? 0) + 1;
  }

  /** As a session does it: every call ends before the request's time does. No call takes two seconds. */
  function inTime(store: VariantStore, remainingMs: () => number): VariantStore {
    return around(store, async (call) => {
      if (remainingMs() > 2000) return call();
      const late = time.sleep(remainingMs() - 300).then(() => {
        throw new TemporarilyUnavailable("late");
      });
      return Promise.race([call(), late]);
    });
  }

  /** The store of a caller that makes no further call after it has taken a ticket. */
  function mortal(store: VariantStore, die: () => void): VariantStore {
    let isDead = false;
    return {
      ...around(store, (call) => (isDead ? new Promise(() => {}) : call())),
      async takeTicket(...of) {
        const ticket = await store.takeTicket(...of);
        isDead = true;
        count("died");
        die();
        return ticket;
      },
    };
  }

  async function loop(index: number): Promise<void> {
    await time.sleep(20 * random());
    for (;;) await request(index);
  }

  for (let index = 0; index < callers; index++) loop(index);
  await time.run(seconds * 1000);

  const all = [...durations.whole, ...durations.one];
  const { calls, units, conflicts, throttled } = engine.spent;
  const stored = engine.states.reduce((sum, { revision }) => sum + revision - 1, 0);
  return {
    perSecond: all.length / seconds,
    p50: quantile(durations.whole, 0.5),
    p99: quantile(durations.whole, 0.99),
    longest: quantile(all, 1),
    longestRefusal,
    p99OfOne: quantile(durations.one, 0.99),
    callsPerSuccess: calls / all.length,
    unitsPerSuccess: units / all.length,
    conflictsPerSuccess: conflicts / all.length,
    throttled,
    statuses,
    lost: Math.max(0, written - stored),
  };
}

type Around = <Result>(call: () => Promise<Result>) => Promise<Result>;

/** The same store, with something done around each call. */
function around(store: VariantStore, perform: Around): VariantStore {
  return {
    readFeature: (...of) => perform(() => store.readFeature(...of)),
    readEnvironment: (...of) => perform(() => store.readEnvironment(...of)),
    writeVariants: (...of) => perform(() => store.writeVariants(...of)),
    takeTicket: (...of) => perform(() => store.takeTicket(...of)),
    giveUpTurn: (...of) => perform(() => store.giveUpTurn(...of)),
    requireRoomForVariants() {},
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
