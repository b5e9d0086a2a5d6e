/** Reads a JSON file that the operator named. */
import { readFileSync } from "node:fs";
import { Refusal } from "./refusal.ts";

const standardInput = 0;

/** "-" is the standard input. */
export function readJsonFile(file: string): unknown {
  const source = sourceOf(file);
  const text = decode(source, read(file));
  try {
    // Editors on Windows may write a byte-order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Refusal(`${source} is not JSON: ${(error as Error).message}`);
  }
}

/** Names the file in messages. */
export function sourceOf(file: string): string {
  return file === "-" ? "standard input" : file;
}

function read(file: string): Buffer {
  try {
    return readFileSync(file === "-" ? standardInput : file);
  } catch (error) {
    throw new Refusal(`${sourceOf(file)} cannot be read: ${(error as Error).message}`);
  }
}

function decode(source: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal(`${source} is not JSON: it is not UTF-8`);
  }
}
