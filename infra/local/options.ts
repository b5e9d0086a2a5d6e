/** The options of `npm start`, and those that it shares with `npm run invoke`. */
import { Command, InvalidArgumentError, Option } from "commander";
import { explain } from "../admin/explain.ts";
import { printableLines } from "../printable.ts";
import { hostname } from "./foreign.ts";

export interface PlaceOptions {
  state?: string;
  data?: string;
  endpoint?: string;
}

export interface Options extends PlaceOptions {
  port: number;
  host: string;
  allowHost?: string[];
  watch?: boolean;
}

/** The exit code for wrong usage; a command that is refused or fails exits with 1. */
export const usageError = 2;

export function readOptions(argv: readonly string[]): Options {
  const command = new Command("npm start --")
    .description("Serves the built functions behind a local API Gateway, on an embedded DynamoDB engine.")
    .option("--port <n>", "listen on this port; 0 picks a free one", toPort, 3000)
    .option("--host <name>", "listen on this address", notEmpty, "127.0.0.1")
    .option(
      "--allow-host <name>",
      "accept requests for this host too, and from its pages: name or name:port; repeatable",
      toHosts,
    );
  return exitOnErrors(addPlace(command))
    .option("--watch", "rebuild and reload the functions when a source changes")
    .parse(argv, { from: "user" })
    .opts<Options>();
}

/** Adds the options that choose the data. */
export function addPlace(command: Command): Command {
  return command
    .option("--state <file>", "start from this state instead of the demo's")
    .addOption(
      new Option("--data <dir>", "keep the data in this folder between starts")
        .argParser(notEmpty)
        .conflicts("endpoint"),
    )
    .option("--endpoint <url>", "use the DynamoDB at this address instead of the embedded engine", toUrl);
}

/** On wrong usage, and where the output cannot be written; a reader that closes the pipe early is not a failure. */
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
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageError));
}

/** Prints the error in one line and exits; throws an unexpected error. */
export function exitWith(error: unknown, options: PlaceOptions, code = 1): never {
  const line = explain(error, options);
  if (line === undefined) throw error;
  console.error(printableLines(`burgee: ${line}`));
  process.exit(code);
}

function toPort(text: string): number {
  const port = Number(text);
  if (text.trim() === "" || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  }
  return port;
}

/** An empty host would be every address of this machine, an empty folder the working folder. */
export function notEmpty(text: string): string {
  if (text === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}

function toHosts(text: string, others: string[] = []): string[] {
  if (hostname(text) === undefined) {
    throw new InvalidArgumentError("A host looks like burgee.test, or burgee.test:8080.");
  }
  return [...others, text];
}

export function toUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError("An endpoint looks like http://127.0.0.1:8000.");
  }
  return text;
}
