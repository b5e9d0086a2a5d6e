/** Formats the results of loads, and lists those that failed. */
import { formatTable } from "../../../infra/admin/terminal/table.ts";
import type { Measured } from "../statistics.ts";
import type { LoadLine } from "./fire.ts";
import type { Memory } from "./memory.ts";

const head = ["operation", "connections", "seconds", "requests/s", "p50 ms", "p99 ms", "not 2xx"];

export function formatLoads(lines: readonly LoadLine[]): string {
  const rows = lines.map(({ operation, connections, seconds, perSecond, p50, p99, refused, memory }) => [
    ...[operation, connections, seconds, perSecond.toFixed(0), p50, p99, refused].map(String),
    ...(["server", "database"] as const).map((part) => {
      const [begin, end, peak] = [memory.begin, memory.end, memory.peak].map((one) => one[part].toFixed(0));
      return `${begin} to ${end}, peak ${peak}`;
    }),
  ]);
  return formatTable([...head, "server MB", "engine MB"], rows);
}

export function formatBoot({ median }: Measured, { server, database }: Memory): string {
  const memory = `server ${server.toFixed(0)} MB, engine ${database.toFixed(0)} MB`;
  return `from start to first response: ${(median / 1000).toFixed(2)} s; idle after that: ${memory}`;
}

/** A leak of a few bytes a request would show in the longest load, which is the last. */
export function missedBy(lines: readonly LoadLine[]): string[] {
  const { memory } = lines.at(-1) ?? {};
  const parts = (["server", "database"] as const).filter(
    (part) => memory && memory.end[part] > memory.begin[part] * 1.1,
  );
  const refused = lines.filter((line) => line.refused > 0);
  return [
    ...parts.map((part) => `the memory of the ${part} grows`),
    ...refused.map(({ operation, connections }) => `not every ${operation} at ${connections} returned 2xx`),
  ];
}
