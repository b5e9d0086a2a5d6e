/** What is printed: data on the standard output, everything else beside it. */
import { printable } from "./printable.ts";

export function print(text: string): void {
  process.stdout.write(`${printableLines(text)}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** For the person alone: a script that reads the output does not see it. */
export function note(text: string): void {
  process.stderr.write(`${printableLines(text)}\n`);
}

function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
