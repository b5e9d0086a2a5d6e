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
    .option("--dry-run", "preview the change, and change nothing")
    .addOption(reasonOption())
    .option(
      `${optionOfHeader["Burgee-Most-Moves"]} <share>`,
      "refuse the change if it affects a larger share of users: 0.2 for 20 %",
      toShare,
    )
    .option("-y, --yes", "do not ask");
}

/** A command whose change may be under a guard. */
export function guardedCommand(...given: Parameters<typeof command>): Command {
  return changeCommand(...given)
    .option(
      `${optionOfHeader["Burgee-Guard"]} <name>`,
      "put the change under this guard: an alarm that trips the guard undoes it",
      toGuardName,
    )
    .option("--for <time>", "with --guard: how long, from 1m to 24h (default: 30m)", toGuardTime);
}

function toGuardName(text: string): string {
  if (nameInPathSchema.safeParse(text).success) return text;
  throw new InvalidArgumentError("It must be URL-friendly, and have at most 100 characters.");
}

function toGuardTime(text: string): string {
  if (guardSeconds(text) !== undefined) return text;
  throw new InvalidArgumentError("It must be a time from 1m to 24h, such as 90s, 30m or 2h.");
}
