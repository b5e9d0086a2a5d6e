/** Formats rows as columns that fit the terminal. */
import stringWidth from "string-width";
import { printable } from "../../printable.ts";

const gap = 2;
const leastWidth = 8;

/** Wraps the widest columns, to 8 characters at least, if there is a terminal or COLUMNS. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number = terminalWidth(),
): string {
  const all = [head.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(printable))];
  const natural = head.map((_, column) =>
    all.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? "")), 0),
  );
  const widths = shrink(natural, width - gap * (head.length - 1));
  return all.flatMap((row) => formatRow(row, widths)).join("\n");
}

/** As many lines as its longest cell has. */
function formatRow(row: readonly string[], widths: readonly number[]): string[] {
  const cells = row.map((cell, column) => wrap(cell, widths[column] ?? 0));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, column) => pad(lines[line] ?? "", widths[column] ?? 0))
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}

/** Breaks at spaces, and within a word that is longer than a line. */
function wrap(cell: string, width: number): string[] {
  if (widthOf(cell) <= width) return [cell];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of cell.split(/(?<= )/)) {
    for (const part of widthOf(word) > width ? charactersOf(word) : [word]) {
      if (used + widthOf(part.trimEnd()) > width) {
        lines.push(line.trimEnd());
        line = "";
        used = 0;
      }
      line += part;
      used += widthOf(part);
    }
  }
  return [...lines, line.trimEnd()];
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Takes the excess from the widest columns. */
function shrink(widths: readonly number[], most: number): number[] {
  const shrunk = [...widths];
  for (let excess = shrunk.reduce((sum, one) => sum + one, 0) - most; excess > 0; excess--) {
    const widest = Math.max(...shrunk);
    if (widest <= leastWidth) break;
    shrunk[shrunk.indexOf(widest)] = widest - 1;
  }
  return shrunk;
}

/** In terminal columns: some characters take two, some none. For long text, string-width takes quadratic time. */
function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  if (text.length < 1000) return stringWidth(text);
  return charactersOf(text).reduce((sum, one) => sum + widthOfCharacter(one), 0);
}

/** Each with the marks that combine with it. */
function charactersOf(text: string): string[] {
  return text.match(/.\p{M}*/gsu) ?? [];
}

const knownWidths = new Map<string, number>();

function widthOfCharacter(character: string): number {
  const width = knownWidths.get(character) ?? stringWidth(character);
  knownWidths.set(character, width);
  return width;
}

/** Some terminals without a window report 0 columns. */
function terminalWidth(): number {
  return process.stdout.columns || Number(process.env.COLUMNS) || Number.POSITIVE_INFINITY;
}
