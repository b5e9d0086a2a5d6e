/** Defines commands: their help with examples, and actions that receive the global options too. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type * as z from "zod/mini";
import { reasonIssue } from "../../../lib/contract/reason.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { didYouMean } from "../../cli/did-you-mean.ts";
import { notEmpty, OneValueCommand } from "../../cli/options.ts";
import { printableLines } from "../../cli/printable.ts";
import { UsageError } from "../../cli/refusal.ts";
import type { Api } from "../api/api.ts";
import type { BurgeeOptions } from "../api/headers.ts";
import { withApi } from "./api/open-api.ts";
import { type Access, type OperatorSession, type PlaceOptions, withTable } from "./table/with-table.ts";

export interface CommandOptions extends PlaceOptions, Partial<BurgeeOptions> {
  json?: boolean;
  /** Do not ask for confirmation. */
  yes?: boolean;
}

/** Creates a command that throws instead of ending the process. In its errors, what the user typed is escaped. */
export function newCommand(name: string): Command {
  const command: Command = new OneValueCommand(name);
  command
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      outputError: (text, write) => write(printableLines(text.replace(/^error: /, "burgee: "))),
    })
    .exitOverride()
    .on("command:*", () => refuseUnknown(command))
    .addHelpText("before", () => refuseUnknown(command));
  return command;
}

/** Refuses `aply`, `aply --help` and `help aply`. */
function refuseUnknown(command: Command): string {
  const name = command.args.find((one) => one !== "help") ?? "-";
  const names = command.commands.map((one) => one.name());
  if (names.length === 0 || names.includes(name) || name.startsWith("-")) return "";
  return command.error(`error: unknown command '${name}'${didYouMean(name, names)}`);
}

/** The first paragraph of `help` is the command's line in lists. Examples are without the program's name. */
export function command(
  name: string,
  help: string,
  examples: readonly (readonly [typed: string, does: string])[],
): Command {
  // Commander wraps by itself; an empty line ends a paragraph.
  const [summary = "", ...details] = help.split("\n\n").map((text) => text.replaceAll("\n", " "));
  const lines = examples.map(([typed, does]) => `  # ${does}\n  burgee ${typed}`);
  return newCommand(name)
    .summary(summary)
    .description([`${summary}.`, ...details].join("\n\n"))
    .addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/** Defines a command that only has others below it. */
export function group(name: string, summary: string, commands: readonly Command[]): Command {
  const parent = newCommand(name).summary(summary).description(`${summary}.`);
  for (const each of commands) parent.addCommand(each);
  return parent;
}

/** Commander passes the arguments, the command's own options, and the command, which has the global options too. */
export function action<Given extends CommandOptions, Arguments extends unknown[]>(
  work: (options: Given, ...given: Arguments) => Promise<void>,
): (...given: unknown[]) => Promise<void> {
  return (...given) => {
    const command = given.at(-1) as Command;
    return work(command.optsWithGlobals<Given>(), ...(given.slice(0, -2) as Arguments));
  };
}

/** Names of features are unique, so that naming the project only saves a search. */
const ofFeature = "the project of the feature (default: search all projects)";

export function projectOption(description = ofFeature): Option {
  return new Option("--project <id>", description).argParser(notEmpty);
}

/** Defines --reason, for commands that make changes. */
export function reasonOption(): Option {
  return new Option("--reason <text>", "why, for `history`").argParser(toReason);
}

/** Takes an empty text for no reason: it is most likely an unset variable of a script. */
function toReason(text: string): string | undefined {
  const issue = reasonIssue(text);
  if (issue !== undefined) throw new InvalidArgumentError(`It ${issue}.`);
  return text === "" ? undefined : text;
}

/** Refuses --exit-code without --dry-run: a command that writes exits with 0 where it has written the differences. */
export function requireDryRun({ exitCode, dryRun }: { exitCode?: boolean; dryRun?: boolean }): void {
  if (exitCode && !dryRun) throw new UsageError("--exit-code needs --dry-run");
}

/** Opens the table for the action, and closes it afterwards. */
export function onTable<Given extends CommandOptions, Arguments extends unknown[]>(
  work: (session: OperatorSession, options: Given, ...given: Arguments) => Promise<void>,
  access: Access = { mayCreate: false },
): (...given: unknown[]) => Promise<void> {
  return action<Given, Arguments>((options, ...given) =>
    withTable(options, access, (session) => work(session, options, ...given)),
  );
}

/** Opens the API for the action: over HTTP with --url, otherwise by the handlers on the table. */
export function onApi<Given extends CommandOptions, Arguments extends unknown[]>(
  work: (api: Api, options: Given, ...given: Arguments) => Promise<void>,
): (...given: unknown[]) => Promise<void> {
  return action<Given, Arguments>((options, ...given) =>
    withApi(options, (api) => work(api, options, ...given)),
  );
}

/** Runs a command that does on the table what the API cannot. With --url it uses the API as far as that goes. */
export function onTableOrKey<Given extends CommandOptions, Arguments extends unknown[]>(
  onTheTable: (session: OperatorSession, options: Given, ...given: Arguments) => Promise<void>,
  byKey: (api: Api, options: Given, ...given: Arguments) => Promise<void>,
): (...given: unknown[]) => Promise<void> {
  return action<Given, Arguments>((options, ...given) =>
    options.url === undefined
      ? withTable(options, { mayCreate: false }, (session) => onTheTable(session, options, ...given))
      : withApi(options, (api) => byKey(api, options, ...given)),
  );
}

/** Applies the rules of a state file to what a command creates, so that it can be exported and applied again. */
export function requireValid(what: string, schema: z.ZodMiniType, value: object): void {
  const { issues: [first] = [] } = validate(schema, value);
  if (first) throw new UsageError(`the ${what}'s ${first.path.slice(1)} ${first.message}`);
}
