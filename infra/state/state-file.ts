/** Reads and validates a state file. */
import { limits } from "../../lib/contract/limits.ts";
import { validate, validateJson } from "../../lib/contract/validate.ts";
import { readJsonFile, sourceOf } from "../json-file.ts";
import { Refusal } from "../refusal.ts";
import { type State, stateSchema } from "./state.ts";

export async function readStateFile(file: string): Promise<State> {
  return checkState(await readJsonFile(file), sourceOf(file));
}

/** `source` names the origin of the state in the message. */
export function checkState(input: unknown, source: string): State {
  const { value: state, issues = [] } = validate(stateSchema, input);
  const all = [...validateJson(input), ...issues];
  if (state && all.length === 0) return state;
  const lines = all.slice(0, limits.issues).map(({ path, message }) => `  ${path || "/"} ${message}`);
  if (all.length >= limits.issues) lines.push("  and possibly more");
  throw new Refusal(`${source} is not a state file:\n${lines.join("\n")}`);
}
