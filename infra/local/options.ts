/** The options of `npm start`. */
import { InvalidArgumentError, Option } from "commander";
import { exitOnErrors } from "../cli/exit.ts";
import { notEmpty, OneValueCommand, RepeatableOption, toEndpointUrl } from "../cli/options.ts";
import { hostname } from "../engine/foreign-requests.ts";

export interface StartOptions {
  state?: string;
  data?: string;
  endpoint?: string;
  port: number;
  host: string;
  allowHost?: string[];
  watch?: boolean;
}

export function readStartOptions(argv: readonly string[]): StartOptions {
  return exitOnErrors(new OneValueCommand("npm start --"))
    .description("Serves the built functions behind a local API Gateway, on an embedded DynamoDB engine.")
    .option("--port <n>", "listen on this port; 0 picks a free one", toPort, 3000)
    .option("--host <name>", "listen on this address", notEmpty, "127.0.0.1")
    .addOption(
      new RepeatableOption(
        "--allow-host <name>",
        "accept requests for this host too, and from its pages: name or name:port; repeatable",
      ).argParser(toHosts),
    )
    .option("--state <file>", "start from this state instead of the demo's")
    .addOption(
      new Option("--data <dir>", "keep the data in this folder between starts")
        .argParser(notEmpty)
        .conflicts("endpoint"),
    )
    .option(
      "--endpoint <url>",
      "use the DynamoDB at this address instead of the embedded engine",
      toEndpointUrl,
    )
    .option("--watch", "rebuild and reload the functions when a source changes")
    .parse(argv, { from: "user" })
    .opts<StartOptions>();
}

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  }
  return port;
}

function toHosts(text: string, others: string[] = []): string[] {
  if (hostname(text) === undefined) {
    throw new InvalidArgumentError("A host looks like burgee.test, or burgee.test:8080.");
  }
  return [...others, text];
}
