/** Formats rows as columns. */
import stringWidth from "string-width";
import { printable } from "../../printable.ts";

/** A longer cell moves the rest of its row to the right. */
const widestColumn = 40;

export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(printable))];
  const widths = head.map((_, column) => {
    return Math.max(...all.map((row) => widthOf(row[column])).filter((width) => width <= widestColumn), 0);
  });
  const pad = (cell: string, width = 0) => cell + " ".repeat(Math.max(0, width - widthOf(cell)));
  return all
    .map((row) =>
      row
        .map((cell, column) => pad(cell, widths[column]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** In terminal columns: some characters take two, some none. For long text, string-width takes quadratic time. */
function widthOf(text = ""): number {
  return text.length > 10 * widestColumn ? text.length : stringWidth(text);
}
