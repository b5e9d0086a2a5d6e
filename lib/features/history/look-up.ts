/** Finds, in each environment, the own change of a request, and the change that the request undoes. */
import type {
  ChangeByEnvironment,
  ChangeRequest,
  ChangeWithUndo,
  EnvironmentState,
  EnvironmentStates,
  EnvironmentWithChanges,
} from "../model.ts";
import type { EnvironmentReader } from "../stores.ts";
import { requireRetryable } from "./require-retryable.ts";

/**
 * Looks for the own change only if there can be one: with an idempotency key, or with `alwaysFindsOwn` once the request
 * has sent a write. Throws as `requireRetryable` does, so that no caller forgets this check.
 */
export async function lookUpChanges(
  reader: EnvironmentReader,
  states: EnvironmentStates,
  { stamp, edit }: Pick<ChangeRequest, "stamp" | "edit">,
  { alwaysFindsOwn = false } = {},
): Promise<EnvironmentWithChanges[]> {
  const hasIdempotencyKey = stamp.requestHash !== undefined;
  const [ownChanges, changesToUndo] = await Promise.all([
    alwaysFindsOwn || hasIdempotencyKey ? findChange(reader, states, stamp.id) : foundNowhere,
    edit.kind === "undo" ? findChange(reader, states, edit.changeId) : foundNowhere,
  ]);
  requireRetryable(ownChanges, stamp);
  return states.map((state) => ({
    state,
    ownChange: ownChanges.get(state.environment)?.change,
    changeToUndo: changesToUndo.get(state.environment),
  }));
}

const foundNowhere: ChangeByEnvironment = new Map();

export async function findChange(
  reader: EnvironmentReader,
  states: EnvironmentStates,
  id: string,
): Promise<ChangeByEnvironment> {
  const carriedIn = ({ carried }: EnvironmentState) => carried.find((change) => change.id === id);
  const isCarriedEverywhere = states.every(carriedIn);
  // The items are read after the environments, and a change becomes an item before its environment drops it:
  //   carried |------------|
  //   item              |--------------
  // So a change that the environment lacked is an item by now, or had not been made.
  const items = isCarriedEverywhere ? new Map<string, ChangeWithUndo>() : await reader.readChangeItems(id);
  const byEnvironment = new Map<string, ChangeWithUndo>();
  for (const state of states) {
    const carried = carriedIn(state);
    const stored = carried ? { change: carried } : items.get(state.uid);
    // A change made after the environment was read is not in the content that was read.
    if (stored && stored.change.revision <= state.revision)
      byEnvironment.set(state.environment, addUndo(stored, state));
  }
  return byEnvironment;
}

/** Finds the undo while it is carried. Before the environment drops it, the mark is stored, which gives `undoneBy`. */
function addUndo(
  { change, undoneBy }: ChangeWithUndo,
  { carried, revision }: EnvironmentState,
): ChangeWithUndo {
  const undo = carried.find(({ undoes }) => undoes?.revision === change.revision) ?? undoneBy;
  // An undo made after the environment was read is not in the content that was read.
  if (!undo || undo.revision > revision) return { change };
  return { change, undoneBy: undo };
}
