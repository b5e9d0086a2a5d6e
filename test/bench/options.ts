/** What `npm run bench` takes after `--`. */
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
    .description(
      "Measures the functions as they are deployed, beside how such functions are usually shipped.",
    )
    .option("--rounds <n>", "cold starts of each set-up", toCount, 25)
    .option("--node <which>", '"24", fetched where this is another; "current" is this one', "24")
    .option("--scale", "measure against the number of variants, environments, tags, operations and features")
    .option("--load", "measure the local server under load")
    .option(
      "--minutes <n>",
      "so long the last of its loads goes on, which shows whether memory grows",
      toCount,
      1,
    )
    .option("--hot", "measure callers that patch one feature, in turn with as many on a feature each")
    .option("--unleash", "measure it in turn with Unleash on PostgreSQL, which are fetched")
    .parse(argv, { from: "user" })
    .opts<Options>();
}

function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError("A number from 1 up is needed.");
  return count;
}
