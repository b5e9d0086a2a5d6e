/** Asks for confirmation. */
import confirm from "@inquirer/confirm";
import { note } from "./output.ts";
import { printable } from "./printable.ts";
import { Refusal } from "./refusal.ts";

interface Options {
  yes?: boolean | undefined;
  /** Printed before the question. */
  what?: string;
}

/** Whether a person can be asked: the question is on standard error. */
export const isTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks, and throws unless the answer is yes. Prints on standard error, as a script may be reading the output. */
export async function requireConfirmation(question: string, { yes, what }: Options): Promise<void> {
  if (yes) return;
  if (what !== undefined) note(what);
  if (!isTerminal()) {
    throw new Refusal(`${question} There is no terminal to ask at; run the command with --yes`);
  }
  // Ctrl-D ends the input, and the prompt would wait for an answer for good.
  const ended = new AbortController();
  process.stdin.once("pause", () => setImmediate(() => ended.abort()));
  const context = { output: process.stderr, signal: ended.signal };
  const isMeant = await confirm({ message: printable(question), default: false }, context).catch(
    (error: Error) => {
      if (error.name !== "AbortPromptError") throw error;
    },
  );
  if (!isMeant) throw new Refusal("nothing was changed");
}
