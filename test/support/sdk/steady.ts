/** Fixes time and random values, so that what a process sends can be compared byte for byte. */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const RealDate = Date;
const now = RealDate.parse("2026-01-02T03:04:05Z");

class SteadyDate extends RealDate {
  constructor(...given: [] | [number]) {
    super(...((given.length === 0 ? [now] : given) as [number]));
  }

  static override now(): number {
    return now;
  }
}

globalThis.Date = SteadyDate as DateConstructor;

let count = 0;
globalThis.crypto.randomUUID = () => `00000000-0000-4000-8000-${String(count++).padStart(12, "0")}`;

crypto.randomBytes = ((size: number) => Buffer.alloc(size)) as typeof crypto.randomBytes;
syncBuiltinESMExports();

/** Also removes the backoff before a retry, which is a random share of the longest. */
Math.random = () => 0;
