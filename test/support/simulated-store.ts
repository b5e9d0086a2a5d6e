/** Simulates DynamoDB for one feature: calls take time, and items have a limit of write units a second. */
import { featureEtag } from "../../lib/features/etag.ts";
import type { EnvironmentState, Feature } from "../../lib/features/feature.ts";
import type { VariantStore } from "../../lib/features/stores.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface EngineOptions {
  environments?: number;
  /** Write units a second that one item takes. */
  itemLimit?: number;
  /** The units of a write of an environment; a failed condition costs as much. */
  writeUnits?: number;
  /** Milliseconds of a call: the mean, and the largest deviation. */
  callMs?: [middle: number, spread: number];
  /** The most milliseconds of processor time that a call costs its caller. */
  processorMs?: number;
  /** The probability that the SDK takes a second ticket, because the first response was lost. */
  doubledTickets?: number;
  /** The probability that the queue's item is lost. */
  lostQueues?: number;
  /** The last ticket of a queue without waiting requests. */
  staleTickets?: number;
}

export interface Engine {
  store: VariantStore;
  spent: { calls: number; units: number; conflicts: number; throttled: number };
  states: EnvironmentState[];
  /** The current ETag of the feature. */
  etag(): string;
}

const project = "p";
const feature = "f";
const start = { stickiness: "default", weightType: "variable" as const };

export function createEngine(time: VirtualTime, random: () => number, options: EngineOptions = {}): Engine {
  const { environments = 2, itemLimit = 1000, writeUnits = 2, callMs = [5, 3], processorMs = 0 } = options;
  const { doubledTickets = 0, lostQueues = 0, staleTickets = 0 } = options;
  const spent = { calls: 0, units: 0, conflicts: 0, throttled: 0 };
  const states = Array.from(
    { length: environments },
    (_, index): EnvironmentState => ({
      environment: `environment-${index}`,
      variants: [{ name: "a", weight: 1000, ...start }],
      revision: 1,
      uid: `uid-${index}`,
      writes: [],
      hasMovedRecords: false,
      served: 0,
      lastTicket: 0,
    }),
  );
  const queues = states.map(() => ({ lastTicket: staleTickets, givenUp: 0 }));
  const buckets = new Map<string, { units: number; at: number }>();

  /** Unused units accumulate up to a tenth of a second's. */
  function isThrottled(item: string, units: number): boolean {
    const most = itemLimit / 10;
    const bucket = buckets.get(item) ?? { units: most, at: 0 };
    buckets.set(item, bucket);
    bucket.units = Math.min(most, bucket.units + ((time.now() - bucket.at) * itemLimit) / 1000);
    bucket.at = time.now();
    if (bucket.units < units) return true;
    bucket.units -= units;
    return false;
  }

  /** A call takes half of its time to arrive. A throttled call is retried, as in lib/store/client.ts. */
  async function call<Result>(item: string, units: number, run: () => Result): Promise<Result> {
    for (let retries = 0; ; retries++) {
      const half = () => time.sleep((callMs[0] + (2 * random() - 1) * callMs[1]) / 2);
      spent.calls++;
      if (processorMs) await time.sleep(processorMs * random() ** 2);
      await half();
      const isRefused = units > 0 && isThrottled(item, units);
      const result = isRefused ? undefined : { value: run() };
      spent.units += isRefused ? 0 : units;
      spent.throttled += isRefused ? 1 : 0;
      await half();
      if (result) return result.value;
      await time.sleep(random() * Math.min(1000, 25 * 2 ** (retries + 1)));
    }
  }

  function at(environment: string): number {
    return states.findIndex((state) => state.environment === environment);
  }

  function queueOf(environment: string) {
    return queues[at(environment)] ?? { lastTicket: 0, givenUp: 0 };
  }

  function read(environment: string, withQueue: boolean): EnvironmentState | undefined {
    const state = states[at(environment)];
    if (!state) return undefined;
    const { lastTicket, givenUp } = queueOf(environment);
    const served = withQueue ? Math.max(state.served, givenUp) : state.served;
    return { ...state, served, lastTicket: withQueue ? lastTicket : served };
  }

  const store: VariantStore = {
    readFeature: ({ environment }) =>
      call("", 0, (): Feature => {
        const names = environment === undefined ? states.map((state) => state.environment) : [environment];
        const isWhole = environment === undefined;
        return { name: feature, project, environments: names.flatMap((name) => read(name, isWhole) ?? []) };
      }),
    requireRoomForVariants() {},
    writeVariants: ({ before, variants, ticket }) =>
      call(before.environment, writeUnits, () => {
        const current = read(before.environment, false);
        if (!current || current.revision !== before.revision) {
          spent.conflicts++;
          return { written: false as const, current };
        }
        const served = Math.max(current.served, ticket ?? 0);
        const revision = before.revision + 1;
        const stored = { ...current, variants, revision, served };
        states[at(before.environment)] = stored;
        return { written: true as const, stored };
      }),
    readEnvironment: async ({ environment }, { withQueue = false }) => {
      if (withQueue) spent.calls++;
      return call("", 0, () => read(environment, withQueue));
    },
    takeTicket: ({ environment }, served) =>
      call(`queue of ${environment}`, 1, () => {
        const queue = queueOf(environment);
        if (random() < lostQueues) Object.assign(queue, { lastTicket: served, givenUp: 0 });
        queue.lastTicket += random() < doubledTickets ? 2 : 1;
        return queue.lastTicket;
      }),
    giveUpTurn: ({ environment }, ticket) =>
      call(`queue of ${environment}`, 1, () => {
        const queue = queueOf(environment);
        queue.givenUp = Math.max(queue.givenUp, ticket);
      }),
  };
  return { store, spent, states, etag: () => featureEtag(states) };
}
