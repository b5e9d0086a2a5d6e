/** What every command has: its examples, and the options that stand above all commands. */
import { Command } from "commander";
import type { OperatorSession } from "./operator.ts";
import { type Access, type PlaceOptions, withTable } from "./place.ts";

export interface Options extends PlaceOptions {
  json?: boolean;
}

interface Words {
  details?: string;
  /** What is typed after the program's name, and what it does. */
  examples: readonly (readonly [typed: string, does: string])[];
}

export function command(name: string, summary: string, { details, examples }: Words): Command {
  const lines = examples.map(([typed, does]) => `  # ${does}\n  burgee ${typed}`);
  return new Command(name)
    .summary(summary)
    .description(details === undefined ? `${summary}.` : `${summary}.\n\n${unwrapped(details)}`)
    .addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/** The lines of the source are not those of the terminal; only an empty one ends a paragraph. */
function unwrapped(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll("\n", " "))
    .join("\n\n");
}

/** The parser passes on the arguments, the command's own options, and the command, which knows all options. */
export function action<Given extends Options, Arguments extends unknown[]>(
  work: (options: Given, ...given: Arguments) => Promise<void>,
): (...given: unknown[]) => Promise<void> {
  return (...given) => {
    const command = given.at(-1) as Command;
    return work(command.optsWithGlobals<Given>(), ...(given.slice(0, -2) as Arguments));
  };
}

/** An action with the table open. */
export function onTable<Given extends Options, Arguments extends unknown[]>(
  work: (session: OperatorSession, options: Given, ...given: Arguments) => Promise<void>,
  access: Access = {},
): (...given: unknown[]) => Promise<void> {
  return action<Given, Arguments>((options, ...given) =>
    withTable(options, (session) => work(session, options, ...given), access),
  );
}
