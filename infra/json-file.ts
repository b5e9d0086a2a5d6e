/** Reads a JSON file that the operator named. */
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Refusal, UsageError } from "./refusal.ts";

/** Most likely an unset variable of a script. */
export const emptyName = "the name of the file is empty";

/** "-" is the standard input. A byte-order mark is dropped, which editors on Windows may write. */
export async function readJsonFile(file: string): Promise<unknown> {
  if (file === "") throw new UsageError(emptyName);
  const bytes = await (file === "-" ? buffer(process.stdin) : readFile(file)).catch((error: Error) => {
    throw new Refusal(`${sourceOf(file)} cannot be read: ${error.message}`);
  });
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    // V8 quotes the text around an unexpected token: parts of a key, in the log of a pipeline.
    const { message } = error as Error;
    throw new Refusal(`${sourceOf(file)} is not JSON: ${message.replace(/, (?:\.{3})?".*/s, "")}`);
  }
}

/** Names the file in messages. */
export function sourceOf(file: string): string {
  return file === "-" ? "standard input" : file;
}
