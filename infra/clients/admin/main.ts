#!/usr/bin/env node
/** The operator's command line: `npm run admin -- COMMAND`, or `burgee COMMAND`. */
import { exitCodes } from "../../cli/explain.ts";
import { enterFolderOfUser } from "../../cli/how-started.ts";
import { note } from "../../cli/output.ts";
import { run } from "./program.ts";

// Completed changes stay. Commands that apply a whole file continue when they are run again; `create` refuses what exists.
process.once("SIGINT", () => {
  note(
    "\nburgee: interrupted; completed changes are kept, and apply, the imports and push continue when run again",
  );
  process.exit(exitCodes.interrupted);
});

let isOutputLost = false;

// The command is completed nevertheless. A reader that closes the pipe early, like `head`, is not a failure.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE" || isOutputLost) return;
  isOutputLost = true;
  note(`burgee: the output cannot be written: ${message}`);
  process.exitCode = exitCodes.failure;
});

// A reader of the messages that leaves early does not end a command halfway.
process.stderr.on("error", () => {});

enterFolderOfUser();
const code = await run(process.argv.slice(2));
if (!isOutputLost) process.exitCode = code;
