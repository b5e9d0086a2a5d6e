/** Reads a state file, or says everything that is wrong with it. */
import { readFileSync } from "node:fs";
import { check } from "../lib/contract/check.ts";
import { type State, stateSchema } from "../lib/contract/state.ts";
import { Refusal } from "./refusal.ts";

export function readStateFile(file: string): State {
  const { value, faults } = check(stateSchema, parse(file, read(file)), Number.POSITIVE_INFINITY);
  if (value) return value;
  const lines = faults.map(({ path, message }) => `  ${path || "/"} ${message}`);
  throw new Refusal(`${file} is not a state file:\n${lines.join("\n")}`);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(`${file} is not JSON: ${(error as Error).message}`);
  }
}
