#!/usr/bin/env node
/** The operator's command line: `npm run admin -- COMMAND`, or `burgee COMMAND`. */
import { explain } from "./explain.ts";
import { createProgram } from "./program.ts";
import { note } from "./terminal/output.ts";

const program = createProgram();

// What is begun again finds what is done already.
process.once("SIGINT", () => {
  note("\nburgee: stopped; what was done so far stays, and the same command goes on from there");
  // First the progress bar, which heeds the signal too, gives the terminal back as it was.
  setImmediate(() => process.exit(130));
});

// A reader that has seen enough, like `head`, is no failure.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") process.exit(0);
});

try {
  await program.parseAsync();
} catch (error) {
  const line = explain(error, program.opts());
  if (line === undefined) throw error;
  note(`burgee: ${line}`);
  process.exitCode = 1;
}
