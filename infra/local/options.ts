/** What `npm start` takes after `--`. */
import { Command, InvalidArgumentError } from "commander";

export interface Options {
  port: number;
  host: string;
  state?: string;
  data?: string;
  endpoint?: string;
  watch?: boolean;
}

export function readOptions(argv: readonly string[]): Options {
  return new Command("npm start --")
    .description(
      "Runs the built functions behind an API Gateway of this machine, on an embedded DynamoDB engine.",
    )
    .option("--port <n>", "listen on this port; 0 picks a free one", toPort, 3000)
    .option("--host <name>", "listen on this address", "127.0.0.1")
    .option("--state <file>", "start from this state instead of the demo's")
    .option("--data <dir>", "keep the data in this folder, from start to start")
    .option("--endpoint <url>", "use the DynamoDB at this address instead of the embedded engine", toUrl)
    .option("--watch", "build again and reload the functions when a source changes")
    .parse(argv, { from: "user" })
    .opts<Options>();
}

function toPort(text: string): number {
  const port = Number(text);
  if (text.trim() === "" || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  }
  return port;
}

function toUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError("An endpoint looks like http://127.0.0.1:8000.");
  }
  return text;
}
