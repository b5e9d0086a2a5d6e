/** A server under load: starts its process, and waits until it responds. */
import { type SpawnOptions, spawn } from "node:child_process";

export interface Target {
  url: string;
  authorization: string;
  /** The project that a feature is in, and one of the feature's environments. */
  projectOf(feature: string): string;
  environment: string;
  /** The id of the feature's strategy there. */
  strategyOf(feature: string): string;
}

/** A rollout with two variants of its own, as new flags of Unleash have them. */
export const strategy = {
  name: "flexibleRollout",
  parameters: { rollout: "50", stickiness: "default", groupId: "bench" },
  constraints: [{ contextName: "userId", operator: "NOT_IN" as const, values: ["nobody"] }],
  variants: ["blue", "green"].map((name) => ({
    ...{ name, weight: 500, weightType: "variable" as const, stickiness: "default" },
  })),
};

export const features = Array.from({ length: 100 }, (_, index) => `feature-${index}`);

/** Ends with this process. Discards the output: reading it here would slow down the load. */
export function startProcess(
  args: readonly string[],
  options: SpawnOptions = {},
  node = process.execPath,
): void {
  const child = spawn(node, args, { ...options, stdio: "ignore" });
  process.once("exit", () => child.kill("SIGKILL"));
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
