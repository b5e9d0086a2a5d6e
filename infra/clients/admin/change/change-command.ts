/** Defines the commands that change a feature, and the options of a change. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseGuardTime } from "../../../../lib/http/option-values.ts";
import type { OptionNameOf, optionDeclarations } from "../../../../lib/http/options.ts";
import { toShare } from "../../../cli/options.ts";
import { guardMinutes } from "../../api/headers.ts";
import { nameIssue } from "../../api/name-issue.ts";
import { command, projectOption, reasonOption } from "../command.ts";

const guardTimes = `from ${guardMinutes.least}m to ${guardMinutes.most / 60}h`;

/**
 * The headers of a change that commands, the page and agents set by themselves, if at all: the conditions and
 * `handling=strict` follow from the dry run that a user has seen, and an idempotency key makes their own retries safe.
 */
type SetByOurClients = "prefersStrict" | "ifMatch" | "ifNoneMatch" | "idempotencyKey";

/** The other headers of a change. Our clients offer each of them to their users. */
export type OptionNameForUsers = Exclude<
  {
    [Name in OptionNameOf<"change">]: (typeof optionDeclarations)[Name]["in"] extends "header" ? Name : never;
  }[OptionNameOf<"change">],
  SetByOurClients
>;

/** The command-line options for each header of a change that clients offer. */
const offeredOptions: Readonly<Record<OptionNameForUsers, readonly Option[]>> = {
  reason: [reasonOption()],
  mostMoves: [
    new Option(
      "--most-moves <share>",
      "refuse the change if it affects a larger share of users: 0.2 for 20 %",
    ).argParser(toShare),
  ],
  guard: [
    new Option(
      "--guard <name>",
      "put the change under this guard: an alarm that trips the guard undoes it",
    ).argParser(toGuardName),
    new Option(
      "--for <time>",
      `with --guard: how long, ${guardTimes} (default: ${guardMinutes.usual}m)`,
    ).argParser(toGuardTime),
  ],
};
const { guard: guardOptions, ...unguarded } = offeredOptions;

const yesOption = new Option("-y, --yes", "do not ask");

const changeOptions = [
  projectOption(),
  new Option("--dry-run", "preview the change, and change nothing"),
  ...Object.values(unguarded).flat(),
  yesOption,
];

/** A command that previews one change of a feature, asks, and makes it. */
export function changeCommand(...given: Parameters<typeof command>): Command {
  return changeOptions.reduce((made, option) => made.addOption(option), command(...given));
}

/** A command whose change may be under a guard. */
export function guardedCommand(...given: Parameters<typeof command>): Command {
  return guardOptions.reduce((made, option) => made.addOption(option), changeCommand(...given));
}

/** A guarded command that changes one environment or all: `environmentGiven` reads its options. */
export function commandInEnvironments(...given: Parameters<typeof command>): Command {
  return guardedCommand(...given)
    .option("--environment <name>", "in this environment")
    .option("--all", "in every environment");
}

/** Returns the words of these options. */
export function environmentWords(environment: string | undefined): string[] {
  return environment === undefined ? ["--all"] : ["--environment", environment];
}

/** Returns the options of a change that were typed, but not --yes: another state may need another answer. */
export function changeOptionsGiven(options: object): string[] {
  const values = new Map<string, unknown>(Object.entries(options));
  return [...changeOptions, ...guardOptions].flatMap((option) => {
    const value = values.get(option.attributeName());
    if (typeof value === "string") return [`--${option.name()}`, value];
    return value === true && option !== yesOption ? [`--${option.name()}`] : [];
  });
}

function toGuardName(text: string): string {
  const issue = nameIssue(text);
  if (issue === "") return text;
  throw new InvalidArgumentError(`It ${issue}.`);
}

function toGuardTime(text: string): string {
  if (parseGuardTime(text) !== undefined) return text;
  throw new InvalidArgumentError(`It must be a time ${guardTimes}, such as 90s, 30m or 2h.`);
}
