/** Prints data on the standard output, and everything else on the standard error. */
import { printableLines } from "../../printable.ts";
import { isColoured, type Paint } from "./colour.ts";

export function print(text: string, paint?: Paint): void {
  const lines = printableLines(text);
  const isPainted = paint !== undefined && isColoured(process.stdout);
  process.stdout.write(`${isPainted ? lines.split("\n").map(paint).join("\n") : lines}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** For people: a script that reads the output does not get it. */
export function note(text: string): void {
  process.stderr.write(`${printableLines(text)}\n`);
}
