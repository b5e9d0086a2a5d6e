/** Ends a program of one command on an error: with one line, and the exit codes of the command line. */
import type { Command } from "commander";
import { exitCodes, explain } from "./explain.ts";
import type { TableOptions } from "./options.ts";
import { printableLines } from "./printable.ts";

/** Ends the program on wrong usage, and where the output cannot be written. A reader that closes the pipe early, like `head`, is no failure. */
export function exitOnErrors(command: Command): Command {
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") process.exit(0);
    console.error(`burgee: the output cannot be written: ${message}`);
    process.exit(1);
  });
  // Losing the reader of the log and of messages does not change the result.
  process.stderr.on("error", () => {});
  return command
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, "burgee: ")),
    })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.usage));
}

/** Prints the error in one line and exits; throws an unexpected error. */
export function exitWith(error: unknown, options: TableOptions): never {
  const line = explain(error, options);
  if (line === undefined) throw error;
  console.error(printableLines(`burgee: ${line}`));
  process.exit(exitCodes.failure);
}
