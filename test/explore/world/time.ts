/** A clock for each process and deterministic random numbers in place of the real ones. */
import crypto, { hash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

interface Timer {
  at: number;
  fire: () => void;
}

/** The clock of one process, and how often it drew random bytes. */
export interface Clock {
  name: string;
  now: number;
  timers: Set<Timer>;
  /** How many random bytes. */
  drawn: number;
}

export const startOfTime = Date.UTC(2030, 0, 1);

/** The other callers begin after the first one, by their clocks: they pause for it, and it retries at once. */
export const startOf = (name: string) => startOfTime + (name === "a" ? 0 : 1000);

export function createClock(name: string): Clock {
  return { name, now: startOf(name), timers: new Set(), drawn: 0 };
}

const idle = createClock("idle");
let running = idle;

/** The code that runs until the next call of this belongs to the process with this clock. */
export function runAs(clock: Clock = idle): void {
  running = clock;
}

/** Fires the timer that is due first, and sets the clock to its time. False if none is due by then. */
export function fireNext(clock: Clock, until = Number.POSITIVE_INFINITY): boolean {
  const [first] = [...clock.timers].sort((one, other) => one.at - other.at);
  if (!first || first.at > until) return false;
  clock.timers.delete(first);
  clock.now = Math.max(clock.now, first.at);
  runAs(clock);
  first.fire();
  return true;
}

const realSetImmediate = setImmediate;

/** Waits until every promise that can resolve has. */
export function settled(): Promise<void> {
  return new Promise((resolve) => realSetImmediate(resolve));
}

/** Permanently: this Node.js process does nothing else. */
export function takeOver(): void {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [running.now] : given) as []));
    }

    static override now(): number {
      return running.now;
    }
  } as DateConstructor;
  const setTimer = (fire: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const clock = running;
    const timer = { at: clock.now + ms, fire: () => fire(...given) };
    clock.timers.add(timer);
    return { clear: () => clock.timers.delete(timer), ref() {}, unref() {}, hasRef: () => true };
  };
  Object.assign(globalThis, {
    setTimeout: setTimer,
    clearTimeout: (timer?: { clear?: () => void }) => timer?.clear?.(),
  });
  Object.assign(timers, {
    setTimeout: (ms: number, value: unknown) => new Promise((resolve) => setTimer(resolve, ms, value)),
  });
  performance.now = () => running.now - startOfTime;
  Math.random = () => 0.5;
  Object.assign(crypto, {
    // Only the error of a defect has one.
    randomUUID: () => "00000000-0000-4000-8000-000000000000",
    // A process draws the same bytes, whatever other processes do.
    randomBytes(size: number) {
      running.drawn += 1;
      const bytes = hash("sha256", `${running.name} bytes ${running.drawn}`, "hex");
      return Buffer.from(bytes, "hex").subarray(0, size);
    },
  });
  syncBuiltinESMExports();
}
