/** Time that passes without waiting. */
import { onTestFinished, vi } from "vitest";

/** Lets seconds pass at once for what compares dates. Until the test ends the date stands still. */
export function letPass(seconds: number): void {
  vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}
