#!/usr/bin/env node
/** The operator's command line: `npm run admin -- COMMAND`, or `burgee COMMAND`. */
import { inspect } from "node:util";
import { CommanderError } from "commander";
import { exitCodeOf, exitCodes, explain } from "./explain.ts";
import { createProgram } from "./program.ts";
import { note } from "./terminal/output.ts";

const program = createProgram();

// Every command can be run again: it skips what is done already.
process.once("SIGINT", () => {
  note("\nburgee: interrupted; completed changes are kept, and the same command continues from there");
  // The progress bar handles the signal too, and restores the terminal first.
  setImmediate(() => process.exit(exitCodes.interrupted));
});

// A reader that closes the pipe early, like `head`, is not a failure.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") process.exit(0);
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error, process.argv);
  // The parser has reported its own errors.
  if (!(error instanceof CommanderError)) note(explained(error));
}

function explained(error: unknown): string {
  const line = explain(error, program.opts());
  // An error without an explanation is a defect, so its stack is printed.
  return line === undefined ? inspect(error) : `burgee: ${line}`;
}
