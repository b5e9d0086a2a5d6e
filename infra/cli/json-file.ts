/** Reads JSON files that the operator named. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { Refusal, UsageError } from "./refusal.ts";

/** An empty name is most likely an unset variable of a script. */
export const emptyName = "the name of the file is empty";

export async function readJsonFile(file: string): Promise<unknown> {
  return parseJson(await readText(file), sourceOf(file));
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "the permissions of the file do not allow it",
};

/** Reads a file, or the standard input for "-". Drops a byte-order mark, which editors on Windows may write. */
async function readText(file: string): Promise<string> {
  if (file === "") throw new UsageError(emptyName);
  const bytes = await (file === "-" ? buffer(process.stdin) : readFile(path.resolve(file))).catch(
    ({ code = "", message }: NodeJS.ErrnoException) => {
      throw new Refusal(`${sourceOf(file)} cannot be read: ${reasons[code] ?? message}`);
    },
  );
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw notJson(error, sourceOf(file));
  }
}

/** `source` names the origin of the text in messages. */
export function parseJson(text: string, source: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw notJson(error, source);
  }
  if (isDeeperThan(mostLevels, value))
    throw new Refusal(`${source} is nested deeper than ${mostLevels} levels`);
  return value;
}

/** A function that recurses over a document has room on the stack for several times as many levels. */
const mostLevels = 1000;

function isDeeperThan(levels: number, value: unknown): boolean {
  let contents = [value];
  for (let level = 0; level <= levels && contents.length > 0; level++) {
    contents = contents.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return contents.length > 0;
}

/** V8 quotes the text around an unexpected token: parts of a key, in the log of a pipeline. */
function notJson(error: unknown, source: string): Refusal {
  const { message } = error as Error;
  return new Refusal(`${source} is not JSON: ${message.replace(/, (?:\.{3})?".*/s, "")}`);
}

/** Names the file in messages. */
export function sourceOf(file: string): string {
  return file === "-" ? "standard input" : file;
}
