/** Prints data on the standard output, and everything else on the standard error. */
import { printableLines } from "../../printable.ts";
import { formatTable } from "./table.ts";

export function print(text: string): void {
  process.stdout.write(`${printableLines(text)}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

export function printTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): void {
  print(rows.length === 0 ? none : formatTable(head, rows));
}

/** For people: a script that reads the output does not get it. */
export function note(text: string): void {
  process.stderr.write(`${printableLines(text)}\n`);
}
