/** Reads a state file, or says everything that is wrong with it. */
import { check } from "../../lib/contract/check.ts";
import { inspect } from "../../lib/http/inspect.ts";
import { readJsonFile } from "../json-file.ts";
import { Refusal } from "../refusal.ts";
import { type State, stateSchema } from "./state.ts";

export type StateList = keyof State;

export interface StateFile {
  state: State;
  /** The lists that the file has: one that it leaves out says nothing, one that is empty says that there are none. */
  lists: ReadonlySet<StateList>;
}

export function readStateFile(file: string): State {
  return readLists(file).state;
}

export function readLists(file: string): StateFile {
  const input = readJsonFile(file);
  const { value: state, faults = [] } = check(stateSchema, input, Number.POSITIVE_INFINITY);
  const all = [...inspect(input), ...faults];
  if (!state || all.length > 0) {
    const lines = all.map(({ path, message }) => `  ${path || "/"} ${message}`);
    throw new Refusal(`${file} is not a state file:\n${lines.join("\n")}`);
  }
  const lists = (Object.keys(state) as StateList[]).filter((list) => Object.hasOwn(input as object, list));
  return { state, lists: new Set(lists) };
}
