/** Formats the measurements as tables, and compares them with the goals. */
import { goals } from "./goals.ts";
import type { Measured } from "./statistics.ts";

export interface Line {
  what: string;
  unit: string;
  burgee: Measured;
  usual?: Measured;
  /** The ratio to the usual set-up, from measurements taken in turn. */
  ratio?: Measured;
  /** The goal for the ratio, or for the value if there is no ratio. */
  goal?: keyof typeof goals;
}

export function missed(lines: readonly Line[]): string[] {
  return lines.flatMap(({ what, burgee, ratio, goal }) => {
    const { median } = ratio ?? burgee;
    if (!goal || median <= goals[goal]) return [];
    return [`${what} is ${median.toFixed(3)}; the goal is at most ${goals[goal]}`];
  });
}

/** `names` are the columns of the compared set-ups. */
export function formatLines(lines: readonly Line[], names: readonly [string, string]): string {
  const rows = lines.map(({ what, unit, burgee, usual, ratio, goal }) => [
    `${what}, ${unit}`,
    digits(burgee.median),
    usual ? digits(usual.median) : "",
    ratio ? ratio.median.toFixed(2) : "",
    (ratio ?? burgee).spread.map((value) => (ratio ? value.toFixed(2) : digits(value))).join(" to "),
    goal ? digits(goals[goal]) : "",
  ]);
  return formatTable([["what", ...names, "ratio", "middle half", "at most"], ...rows]);
}

export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n");
}

export function digits(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(2);
}
