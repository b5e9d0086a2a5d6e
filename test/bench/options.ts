/** The options of `npm run bench`. */
import { Command, InvalidArgumentError } from "commander";

export interface Options {
  rounds: number;
  node: string;
  minutes: number;
  scale?: boolean;
  load?: boolean;
  hot?: boolean;
  unleash?: boolean;
}

export function readOptions(argv: readonly string[]): Options {
  return new Command("npm run bench --")
    .description("Measures the functions as they are deployed, and compares them with the usual set-up.")
    .option("--rounds <n>", "cold starts of each set-up", toCount, 25)
    .option(
      "--node <which>",
      'the Node to measure with: "24", fetched if this is another, or "current"',
      "24",
    )
    .option("--scale", "measure how costs grow with variants, environments, tags, operations and features")
    .option("--load", "measure the local server under load")
    .option("--minutes <n>", "the duration of its last load, which shows whether memory grows", toCount, 1)
    .option(
      "--hot",
      "measure callers that patch one feature, alternating with as many on features of their own",
    )
    .option("--unleash", "measure the local server alternating with Unleash on PostgreSQL, both fetched")
    .parse(argv, { from: "user" })
    .opts<Options>();
}

function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return count;
}
