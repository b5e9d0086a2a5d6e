/** Reads a JSON file that the operator named. */
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Refusal, UsageError } from "./refusal.ts";

/** Most likely an unset variable of a script. */
export const emptyName = "the name of the file is empty";

/** "-" is the standard input. */
export async function readJsonFile(file: string): Promise<unknown> {
  const source = sourceOf(file);
  const text = decode(source, await read(file));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(`${source} is not JSON: ${withoutQuotation(error as Error, text)}`);
  }
}

/** V8 quotes the ten characters on each side of an unexpected token: parts of a key, in the log of a pipeline. */
function withoutQuotation({ message }: Error, text: string): string {
  const quotation = /^(Unexpected token .+?), (\.{3})?"(.*)"(?:\.{3})? is not valid JSON$/s;
  const [, token, isCut, quoted = ""] = quotation.exec(message) ?? [];
  if (token === undefined) return message;
  if (isCut === undefined) return token;
  const before = text.slice(0, text.indexOf(quoted) + 10);
  return `${token} in line ${before.split("\n").length}`;
}

/** Names the file in messages. */
export function sourceOf(file: string): string {
  return file === "-" ? "standard input" : file;
}

async function read(file: string): Promise<Buffer> {
  if (file === "") throw new UsageError(emptyName);
  try {
    return file === "-" ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    throw new Refusal(`${sourceOf(file)} cannot be read: ${(error as Error).message}`);
  }
}

/** Without a byte-order mark, which editors on Windows may write. */
function decode(source: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(`${source} is not JSON: it is not UTF-8`);
  }
}
