/** Reads JSON files that the operator named, and documents that are written again. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { Refusal, UsageError } from "./refusal.ts";

/** Most likely an unset variable of a script. */
export const emptyName = "the name of the file is empty";

export async function readJsonFile(file: string): Promise<unknown> {
  return parse(await readText(file), file);
}

/** Stands before a number's text, in place of a number that JSON.stringify would write differently. */
const numberMark = `number ${randomUUID()} `;

/** Reads a document of which `formatDocument` writes every number as the file has it: 9007199254740993, 1e400, 1.0. */
export async function readDocument(file: string): Promise<unknown> {
  const text = await readText(file);
  // A mark in the place of a member's name would make JSON of what is none.
  parse(text, file);
  const marked = text.replaceAll(/"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
    const isKept = token.startsWith('"') || JSON.stringify(Number(token)) === token;
    return isKept ? token : JSON.stringify(numberMark + token);
  });
  return JSON.parse(marked);
}

/** The type of a value of a document that was read. */
export function typeInDocument(value: unknown): string {
  return typeof value === "string" && value.startsWith(numberMark) ? "number" : typeof value;
}

export function formatDocument(document: object): string {
  return JSON.stringify(document, null, 2).replaceAll(new RegExp(`"${numberMark}([^"]*)"`, "g"), "$1");
}

/** "-" is the standard input. A byte-order mark is dropped, which editors on Windows may write. */
async function readText(file: string): Promise<string> {
  if (file === "") throw new UsageError(emptyName);
  const bytes = await (file === "-" ? buffer(process.stdin) : readFile(path.resolve(file))).catch(
    (error: Error) => {
      throw new Refusal(`${sourceOf(file)} cannot be read: ${error.message}`);
    },
  );
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw notJson(error, file);
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error, file);
  }
}

/** V8 quotes the text around an unexpected token: parts of a key, in the log of a pipeline. */
function notJson(error: unknown, file: string): Refusal {
  const { message } = error as Error;
  return new Refusal(`${sourceOf(file)} is not JSON: ${message.replace(/, (?:\.{3})?".*/s, "")}`);
}

/** Names the file in messages. */
export function sourceOf(file: string): string {
  return file === "-" ? "standard input" : file;
}
