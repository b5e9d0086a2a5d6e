/** Formats the measurements as tables, compares them with the goals, and writes them to a file. */
import { writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { goals } from "./goals.ts";
import { type Measured, ratio, summarise } from "./statistics.ts";

export interface Line {
  what: string;
  unit: string;
  burgee: Measured;
  /** What it is compared with. */
  other?: Measured;
  /** Of measurements taken in turn. */
  ratio?: Measured | undefined;
  /** The goal for the ratio, or for the value if there is no ratio. */
  goal?: keyof typeof goals | undefined;
}

/** Compares measurements that were taken in turn. */
export function compared(
  line: Pick<Line, "what" | "unit" | "goal">,
  burgee: readonly number[],
  other: readonly number[],
): Line {
  return { ...line, burgee: summarise(burgee), other: summarise(other), ratio: ratio(burgee, other) };
}

/** Returns the goals that were missed. */
export function report(
  name: string,
  lines: readonly Line[],
  names: readonly [string, string],
  figures: object = {},
): string[] {
  console.log(`\n${formatLines(lines, names)}`);
  const file = `dist/bench/${name}.json`;
  const machine = {
    processors: cpus().length,
    model: cpus()[0]?.model,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    load: loadavg()[0],
  };
  const all = { at: new Date().toISOString(), node: process.version, machine, lines, ...figures };
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  console.log(`\nwritten to ${file}`);
  return lines.flatMap(({ what, burgee, ratio, goal }) => {
    const { median } = ratio ?? burgee;
    if (!goal || median <= goals[goal]) return [];
    return [`${what} is ${median.toFixed(3)}; the goal is at most ${goals[goal]}`];
  });
}

/** `names` are the columns of the compared set-ups. */
function formatLines(lines: readonly Line[], names: readonly [string, string]): string {
  const rows = lines.map(({ what, unit, burgee, other, ratio, goal }) => [
    `${what}, ${unit}`,
    digits(burgee.median),
    other ? digits(other.median) : "",
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
