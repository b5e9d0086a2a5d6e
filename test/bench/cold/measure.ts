/** Measures cold starts and warm requests of every set-up in turn, each in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable } from "node:stream";
import { requests } from "../requests.ts";
import type { Job, Sample } from "./probe.ts";
import type { Setup } from "./setups.ts";

export const handlers = ["tags", "variants"] as const;
export type Handler = (typeof handlers)[number];

export type Samples = Map<string, Sample[]>;

interface Options {
  node: string;
  setups: readonly Setup[];
  environment: Record<string, string>;
  rounds: number;
  /** Calls after the first one. */
  calls: number;
}

export const keyOf = (name: Setup["name"], handler: Handler): string => `${name} ${handler}`;

export async function measure({ node, setups, environment, rounds, calls }: Options): Promise<Samples> {
  const lines = handlers.flatMap((handler) => setups.map((setup) => ({ handler, setup })));
  const samples: Samples = new Map();
  for (let round = 0; round < rounds; round++) {
    // The order rotates, so that no set-up always follows the same one.
    const from = round % lines.length;
    for (const { handler, setup } of [...lines.slice(from), ...lines.slice(0, from)]) {
      const { event, status } = requests[handler];
      const sample = await run(
        node,
        { file: setup.fileOf(handler), event, calls, number: round },
        environment,
      );
      const key = keyOf(setup.name, handler);
      if (sample.status !== status) throw new Error(`${key} returned ${sample.status}, not ${status}`);
      samples.set(key, [...(samples.get(key) ?? []), sample]);
    }
  }
  return samples;
}

async function run(node: string, job: Job, env: Record<string, string>): Promise<Sample> {
  const probe = path.resolve("dist/bench/probe.mjs");
  const child = spawn(node, [probe, JSON.stringify(job)], {
    env,
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const [output, [code]] = await Promise.all([(child.stdio[3] as Readable).toArray(), once(child, "close")]);
  if (code !== 0) throw new Error(`a sandbox of ${job.file} ended with exit code ${code}`);
  return JSON.parse(output.join(""));
}
