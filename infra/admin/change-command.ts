/** Defines the commands that change a feature, and the options of a change. */
import { type Command, InvalidArgumentError } from "commander";
import { nameInPathSchema } from "../../lib/contract/names.ts";
import { guardSeconds } from "../../lib/http/option-values.ts";
import { optionOfHeader, toShare } from "../cli/options.ts";
import { command, projectOption, reasonOption } from "./command.ts";

/** A command that previews one change of a feature, asks, and makes it. */
export function changeCommand(...given: Parameters<typeof command>): Command {
  return command(...given)
    .addOption(projectOption())
    .option("--dry-run", "print what it would do, and change nothing")
    .addOption(reasonOption())
    .option(
      `${optionOfHeader["Burgee-Most-Moves"]} <share>`,
      "change nothing if more users would get something else: 0.2 for 20 %",
      toShare,
    )
    .option("-y, --yes", "do not ask");
}

/** One that an alarm may take back. */
export function guardedCommand(...given: Parameters<typeof command>): Command {
  return changeCommand(...given)
    .option(
      `${optionOfHeader["Burgee-Guard"]} <name>`,
      "let an alarm take it back: what trips this guard undoes it",
      toGuardName,
    )
    .option("--for <time>", "with --guard: for how long, from 1m to 24h (default: 30m)", toGuardTime);
}

function toGuardName(text: string): string {
  if (nameInPathSchema.safeParse(text).success) return text;
  throw new InvalidArgumentError("It must be URL-friendly, and have at most 100 characters.");
}

function toGuardTime(text: string): string {
  if (guardSeconds(text) !== undefined) return text;
  throw new InvalidArgumentError("It must be a time from 1m to 24h, such as 90s, 30m or 2h.");
}
