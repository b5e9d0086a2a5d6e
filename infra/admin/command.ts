/** Defines commands: their help with examples, and actions that receive the global options too. */
import { Command } from "commander";
import type { OperatorSession } from "./operator.ts";
import { type Access, type PlaceOptions, withTable } from "./place.ts";

export interface Options extends PlaceOptions {
  json?: boolean;
}

interface Help {
  details?: string;
  /** The command line after the program's name, and its effect. */
  examples: readonly (readonly [typed: string, does: string])[];
}

export function command(name: string, summary: string, { details, examples }: Help): Command {
  const lines = examples.map(([typed, does]) => `  # ${does}\n  burgee ${typed}`);
  return new Command(name)
    .summary(summary)
    .description(details === undefined ? `${summary}.` : `${summary}.\n\n${unwrapped(details)}`)
    .addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/** Joins the lines of the source, as commander wraps by itself; an empty line ends a paragraph. */
function unwrapped(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll("\n", " "))
    .join("\n\n");
}

/** Commander passes the arguments, the command's own options, and the command, which has the global options too. */
export function action<Given extends Options, Arguments extends unknown[]>(
  work: (options: Given, ...given: Arguments) => Promise<void>,
): (...given: unknown[]) => Promise<void> {
  return (...given) => {
    const command = given.at(-1) as Command;
    return work(command.optsWithGlobals<Given>(), ...(given.slice(0, -2) as Arguments));
  };
}

/** Opens the table for the action, and closes it afterwards. */
export function onTable<Given extends Options, Arguments extends unknown[]>(
  work: (session: OperatorSession, options: Given, ...given: Arguments) => Promise<void>,
  access: Access = {},
): (...given: unknown[]) => Promise<void> {
  return action<Given, Arguments>((options, ...given) =>
    withTable(options, (session) => work(session, options, ...given), access),
  );
}
