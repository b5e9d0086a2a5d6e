/** Reads and validates a state file. */

import { limits } from "../../lib/contract/limits.ts";
import { type Issue, validate, validateJson } from "../../lib/contract/validate.ts";
import { readJsonFile, sourceOf } from "../json-file.ts";
import { Refusal } from "../refusal.ts";
import { type State, stateSchema } from "./state.ts";

export type StateList = keyof State;

export interface StateFile {
  state: State;
  /** The lists that the file has: an absent list says nothing, an empty one means that there are none. */
  lists: ReadonlySet<StateList>;
}

export async function readStateFile(file: string): Promise<State> {
  return (await readLists(file)).state;
}

export async function readLists(file: string): Promise<StateFile> {
  return checkState(await readJsonFile(file), sourceOf(file));
}

/** `source` names the origin of the state in the message. */
export function checkState(input: unknown, source: string): StateFile {
  const { value: state, issues = [] } = validate(stateSchema, input, Number.POSITIVE_INFINITY);
  const all = [...validateJson(input), ...issues];
  if (!state || all.length > 0) {
    throw new Refusal(`${source} is not a state file:\n${formatFirst(all).join("\n")}`);
  }
  const lists = (Object.keys(state) as StateList[]).filter((list) => Object.hasOwn(input as object, list));
  return { state, lists: new Set(lists) };
}

/** Validation stops at a limit of errors in a list, so there may be more than are counted. */
function formatFirst(all: readonly Issue[]): string[] {
  const most = limits.issues;
  const lines = all.slice(0, most).map(({ path, message }) => `  ${path || "/"} ${message}`);
  if (all.length < most) return lines;
  return [...lines, all.length > most ? `  and at least ${all.length - most} more` : "  and possibly more"];
}
