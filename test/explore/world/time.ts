/** A clock for each process and deterministic random numbers in place of the real ones. */
import crypto, { hash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

interface Timer {
  at: number;
  fire: () => void;
}

/** The clock of one process, and what it drew so far. */
export interface Clock {
  name: string;
  now: number;
  timers: Set<Timer>;
  /** The SDK draws ids, Burgee draws bytes. */
  drawn: { ids: number; bytes: number };
}

export const startOfTime = Date.UTC(2030, 0, 1);

/** The other callers begin after the first one, by their clocks: they pause for it, and it retries at once. */
export const startOf = (name: string) => startOfTime + (name === "a" ? 0 : 1000);

export function createClock(name: string): Clock {
  return { name, now: startOf(name), timers: new Set(), drawn: { ids: 0, bytes: 0 } };
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
  // A process draws the same numbers, whatever other processes do.
  const draw = (kind: "ids" | "bytes") => {
    running.drawn[kind] += 1;
    return Buffer.from(hash("sha256", `${running.name} ${kind} ${running.drawn[kind]}`), "hex");
  };
  Object.assign(crypto, {
    randomUUID() {
      const digits = draw("ids").toString("hex");
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
    },
    randomBytes: (size: number) => Buffer.from(draw("bytes").subarray(0, size)),
  });
  syncBuiltinESMExports();
}
