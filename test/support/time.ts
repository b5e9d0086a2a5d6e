/** Time that passes without waiting, and deadlines. */
import { onTestFinished, vi } from "vitest";
import type { Call, Wire } from "./wire.ts";

/** Lets seconds pass at once for what compares dates. Until the test ends the date stands still. */
export function letPass(seconds: number): void {
  vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

/**
 * Returns the remaining time of a request: long until `count` of its calls match, so that a slow engine has all the time
 * that it needs, and short from then on. A call that then fails is sent again for 0.3 seconds.
 */
export function nearDeadlineAfter({ calls }: Wire, isIt: (call: Call) => boolean, count = 1): () => number {
  const earlier = calls.length;
  return () => (calls.slice(earlier).filter(isIt).length >= count ? 600 : 10_000);
}
