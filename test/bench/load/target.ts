/** Defines a server under load: its address, its processes, and how to stop it. */
import type { Memory } from "./memory.ts";

export interface Target {
  url: string;
  authorization: string;
  /** The project that a feature is in, and one of the feature's environments. */
  projectOf(feature: string): string;
  environment: string;
  /** Milliseconds from its start to its first response. */
  boot: number;
  readMemory(): Promise<Memory>;
  stop(): Promise<void>;
}

export interface Prepared {
  /** Every start has the same data. */
  start(): Promise<Target>;
  remove(): Promise<void>;
}

const named = (prefix: string) => Array.from({ length: 100 }, (_, index) => `${prefix}-${index}`);

export const features = named("feature");
/** Features whose variants have a payload and overrides. */
export const richFeatures = named("rich");

/** Waits until it returns 2xx, for a minute at most. */
export async function untilReady(url: string, headers: Record<string, string> = {}): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const answer = await fetch(url, { headers }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${url} did not respond within a minute`);
}
