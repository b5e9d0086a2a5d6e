/** Summarises the samples of all set-ups. */
import type { Line } from "../report.ts";
import { ratio, ratioOfQuickest, summarize } from "../statistics.ts";
import { type Handler, handlers, keyOf, type Samples } from "./measure.ts";
import type { Sample } from "./probe.ts";
import type { Setup } from "./setups.ts";
import { gzipKilobytes, packagesKilobytes } from "./sizes.ts";

type Metric = Exclude<keyof Sample, "status">;

export function coldLines(samples: Samples, setups: readonly Setup[]): Line[] {
  const usual = packagesKilobytes();
  return handlers.flatMap((handler): Line[] => [
    {
      what: `${handler}: deployed`,
      unit: "KB gzip",
      burgee: summarize([gzipKilobytes(fileOf(setups, "burgee", handler))]),
      usual: summarize([usual + gzipKilobytes(fileOf(setups, "usual", handler))]),
      goal: "gzip",
    },
    { ...compared(samples, handler, "init", "init", "ms CPU"), goal: "init" },
    { ...compared(samples, handler, "first", "init and first request", "ms CPU"), goal: "first" },
    {
      ...compared(samples, handler, "caller", "the same, first request at 1,024 MB", "ms"),
      goal: "caller",
    },
    { ...compared(samples, handler, "peak", "peak memory", "MB"), goal: "peak" },
    {
      what: `${handler}: init, with and without the log`,
      unit: "ms CPU",
      burgee: summarize(values(samples, "burgee", handler, "init")),
      ratio: ratioOfQuickest(
        values(samples, "burgee", handler, "init"),
        values(samples, "without log", handler, "init"),
      ),
      goal: "logging",
    },
  ]);
}

export function warmLines(samples: Samples): Line[] {
  return handlers.map((handler) => compared(samples, handler, "warm", "warm request", "ms CPU"));
}

function compared(samples: Samples, handler: Handler, metric: Metric, what: string, unit: string): Line {
  const [burgee, usual, empty] = (["burgee", "usual", "empty"] as const).map((name) =>
    values(samples, name, handler, metric),
  );
  return {
    what: `${handler}: ${what}`,
    unit,
    burgee: summarize(burgee ?? []),
    usual: summarize(usual ?? []),
    ...(empty?.length && { empty: summarize(empty) }),
    ratio: ratio(burgee ?? [], usual ?? []),
  };
}

function values(samples: Samples, name: Setup["name"], handler: Handler, metric: Metric): number[] {
  return (samples.get(keyOf(name, handler)) ?? []).map((sample) => sample[metric]);
}

function fileOf(setups: readonly Setup[], name: Setup["name"], handler: Handler): string {
  return setups.find((setup) => setup.name === name)?.fileOf(handler) ?? "";
}
