/** Formats the measurements as tables, and compares them with the goals. */
import { formatTable } from "../../infra/admin/terminal/table.ts";
import type { OperationCost } from "./calls/measure.ts";
import { type Goal, goals, verdict } from "./goals.ts";
import type { Measured } from "./statistics.ts";

export interface Line {
  what: string;
  unit: string;
  burgee: Measured;
  usual?: Measured;
  empty?: Measured;
  /** The ratio to the usual set-up, from measurements taken in turn. */
  ratio?: Measured;
  /** The goal for the ratio, or for the value if there is no ratio. */
  goal?: keyof typeof goals;
}

export function comparedValue({ burgee, ratio }: Line): number {
  return (ratio ?? burgee).median;
}

export function goalOf({ goal }: Line): Goal | undefined {
  return goal && goals[goal];
}

export function missed(lines: readonly Line[]): string[] {
  return lines.flatMap((line) => {
    const goal = goalOf(line);
    const value = comparedValue(line);
    if (!goal || value <= goal.most) return [];
    return [`${line.what} is ${value.toFixed(3)}; the goal is at most ${goal.most}`];
  });
}

/** `names` are the columns of the compared set-ups. */
export function formatLines(lines: readonly Line[], names = ["empty", "burgee", "usual"]): string {
  const head = ["what", ...names, "ratio", "middle half", "at most", "reached"];
  const rows = lines.map((line) => {
    const { what, unit, burgee, usual, empty, ratio } = line;
    const goal = goalOf(line);
    return [
      `${what}, ${unit}`,
      empty ? digits(empty.median) : "",
      digits(burgee.median),
      usual ? digits(usual.median) : "",
      ratio ? ratio.median.toFixed(2) : "",
      (ratio ?? burgee).spread.map((value) => (ratio ? value.toFixed(2) : digits(value))).join(" to "),
      goal ? digits(goal.most) : "",
      goal ? verdict(comparedValue(line), goal) : "",
    ];
  });
  return formatTable(head, rows);
}

export function formatOperations(costs: readonly OperationCost[]): string {
  const head = ["operation", "stored", "calls", "read units", "write units"];
  const rows = costs.map(({ operation, item, calls, reads, writes }) => [
    operation,
    item,
    count(calls),
    digits(reads),
    digits(writes),
  ]);
  return formatTable(head, rows);
}

function count(calls: readonly string[]): string {
  const kinds = [...new Set(calls)];
  return kinds
    .map((kind) => {
      const times = calls.filter((call) => call === kind).length;
      return times === 1 ? kind : `${times} ${kind}`;
    })
    .join(", ");
}

function digits(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(2);
}
