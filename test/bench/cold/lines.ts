/** Summarises the samples of all set-ups. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { goals } from "../goals.ts";
import type { Line } from "../report.ts";
import { ratio, summarize } from "../statistics.ts";
import { type Handler, handlers, keyOf, type Samples } from "./measure.ts";
import type { Sample } from "./probe.ts";
import type { Setup } from "./setups.ts";

type Metric = Exclude<keyof Sample, "status">;

export function coldLines(samples: Samples): Line[] {
  const compared = (handler: Handler, what: string, unit: string, metric: Metric & keyof typeof goals) =>
    compare(samples, { handler, what, unit, metric, goal: metric });
  return handlers.flatMap((handler): Line[] => [
    { what: `${handler}: deployed`, unit: "KB gzip", burgee: summarize([gzipped(handler)]), goal: "gzip" },
    compared(handler, "init", "ms CPU", "init"),
    compared(handler, "init and first request", "ms CPU", "first"),
    compared(handler, "the same, first request at 1,024 MB", "ms", "caller"),
    compared(handler, "peak memory", "MB", "peak"),
    compare(samples, {
      handler,
      what: "cold start at 1,024 MB, with and without the warm-up",
      unit: "ms",
      metric: "caller",
      other: "without warm-up",
    }),
  ]);
}

export function warmLines(samples: Samples): Line[] {
  return handlers.map((handler) =>
    compare(samples, { handler, what: "warm request", unit: "ms CPU", metric: "warm" }),
  );
}

interface Comparison {
  handler: Handler;
  what: string;
  unit: string;
  metric: Metric;
  goal?: keyof typeof goals;
  other?: "usual" | "without warm-up";
}

function compare(samples: Samples, comparison: Comparison): Line {
  const { handler, what, unit, metric, goal, other = "usual" } = comparison;
  const values = (setup: Setup["name"]) =>
    (samples.get(keyOf(setup, handler)) ?? []).map((sample) => sample[metric]);
  const [burgee, usual] = [values("burgee"), values(other)];
  return {
    what: `${handler}: ${what}`,
    unit,
    burgee: summarize(burgee),
    usual: summarize(usual),
    ratio: ratio(burgee, usual),
    ...(goal && { goal }),
  };
}

function gzipped(handler: Handler): number {
  return gzipSync(readFileSync(path.resolve(`dist/${handler}.cjs`))).length / 1024;
}
