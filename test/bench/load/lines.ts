/** What a load came to. */
import { formatTable } from "../../../infra/admin/terminal/table.ts";
import type { Fired } from "./autocannon.ts";
import type { Operation } from "./operations.ts";

export interface LoadLine {
  operation: Operation;
  connections: number;
  seconds: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** What did not end in 2xx. */
  refused: number;
  /** Of the server's process, in MB: as the load began to flow, and at its end. */
  memory: [number, number];
}

export function toLine(
  operation: Operation,
  connections: number,
  seconds: number,
  { requests, latency, errors, timeouts, statusCodeStats }: Fired,
  memory: readonly number[],
): LoadLine {
  const refused = Object.entries(statusCodeStats)
    .filter(([status]) => !status.startsWith("2"))
    .reduce((sum, [, { count }]) => sum + count, errors + timeouts);
  const third = Math.max(1, Math.floor(memory.length / 3));
  const [begin, end] = [memory.slice(third, 2 * third), memory.slice(-third)].map(mean);
  const { p50, p99 } = latency;
  return {
    operation,
    connections,
    seconds,
    perSecond: requests.average,
    p50,
    p99,
    refused,
    memory: [begin ?? 0, end ?? 0],
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function format(lines: readonly LoadLine[]): string {
  const head = [
    "operation",
    "connections",
    "seconds",
    "requests/s",
    "p50 ms",
    "p99 ms",
    "not 2xx",
    "memory MB",
  ];
  const rows = lines.map(({ operation, connections, seconds, perSecond, p50, p99, refused, memory }) => [
    operation,
    String(connections),
    String(seconds),
    perSecond.toFixed(0),
    String(p50),
    String(p99),
    String(refused),
    memory.map((value) => value.toFixed(0)).join(" to "),
  ]);
  return formatTable(head, rows, Number.POSITIVE_INFINITY);
}

/** Of the long loads, which the last two are: a leak of a few bytes a request would show. */
export function tell(lines: readonly LoadLine[]): number {
  const grown = lines.slice(-2).filter(({ memory: [begin, end] }) => end > begin * 1.1);
  for (const { operation } of grown) console.error(`MISSED: memory grows under ${operation}`);
  const refused = lines.filter(({ refused }) => refused > 0);
  for (const { operation, connections } of refused)
    console.error(`MISSED: not every ${operation} at ${connections} was answered`);
  return grown.length + refused.length === 0 ? 0 : 1;
}
