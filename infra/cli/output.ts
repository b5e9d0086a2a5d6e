/** Prints data on the standard output, and everything else on the standard error. */
import type { Tag } from "../../lib/contract/tags.ts";
import { printable, printableLines } from "./printable.ts";

export function print(text: string, format = printableLines): void {
  process.stdout.write(`${format(text)}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

export function printTable(head: string[], rows: string[][], none: string): void {
  print(rows.length === 0 ? none : formatTable(head, rows));
}

/** Prints a line for people, which a script that reads the output does not get. */
export function note(text: string): void {
  process.stderr.write(`${printableLines(text)}\n`);
}

/** A longer cell moves the rest of its row to the right. */
const widestColumn = 40;

export function formatTable(head: string[], rows: string[][]): string {
  const all = [head.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(printable))];
  const widths = head.map((_, column) => {
    const lengths = all.map((row) => row[column]?.length ?? 0);
    return Math.max(...lengths.filter((length) => length <= widestColumn));
  });
  const lines = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** Joins the first lines of many, and says how many more there are. */
export function andMore(lines: readonly string[], most: number, indent = ""): string {
  const more = lines.length - most;
  const shown = more > 0 ? [...lines.slice(0, most), `and ${more} more`] : lines;
  return shown.map((line) => indent + line).join("\n");
}

/** Two different tags never look the same. */
export function formatTags(tags: readonly Tag[]): string {
  return tags.map(({ type, value }) => `${quotedPart(type, ":")}:${quotedPart(value)}`).join(", ") || "none";
}

/** Quotes a part whose edges cannot be seen, or that would be taken for several tags or for a part of one. */
function quotedPart(text: string, end = ","): string {
  return text === text.trim() && !/[",]/.test(text) && !text.includes(end) ? text : JSON.stringify(text);
}
