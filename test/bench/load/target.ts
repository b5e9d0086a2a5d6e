/** Defines a server under load: starts its process, and waits until it responds. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Target {
  url: string;
  authorization: string;
  /** The project that a feature is in, and one of the feature's environments. */
  projectOf(feature: string): string;
  environment: string;
  stop(): Promise<void>;
}

export interface Prepared {
  /** Every start has the same data. */
  start(): Promise<Target>;
  remove(): Promise<void>;
}

export const features = Array.from({ length: 100 }, (_, index) => `feature-${index}`);

/** Discards the output: reading each line in this process would slow down the load. */
export function startProcess(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, args, { env, stdio: "ignore" });
  return async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
}

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
