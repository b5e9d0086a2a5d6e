/**
 * Finds, in each environment, the own change of a request, and the change that the request undoes. Refuses a retry whose
 * change was undone, is too old, or is that of another request.
 */
import { ConflictError } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type {
  ChangeByEnvironment,
  ChangeRequest,
  ChangeWithUndo,
  EnvironmentState,
  EnvironmentStates,
  EnvironmentWithChanges,
} from "../model.ts";
import { isTooOld, type Stamp } from "../stamp.ts";
import type { EnvironmentReader } from "../stores.ts";

/**
 * Looks for the own change only if there can be one: with an idempotency key, or with `hasSentWrite` once the request
 * has sent a write. Refuses a retry here, so that no caller forgets this check.
 */
export async function lookUpChangesOrRefuse(
  reader: EnvironmentReader,
  states: EnvironmentStates,
  { stamp, edit }: Pick<ChangeRequest, "stamp" | "edit">,
  { hasSentWrite = false } = {},
): Promise<EnvironmentWithChanges[]> {
  const hasIdempotencyKey = stamp.requestHash !== undefined;
  const [ownChanges, changesToUndo] = await Promise.all([
    hasSentWrite || hasIdempotencyKey ? findChangeByEnvironment(reader, states, stamp.id) : foundNowhere,
    edit.kind === "undo" ? findChangeByEnvironment(reader, states, edit.changeId) : foundNowhere,
  ]);
  requireUsableIdempotencyKey(ownChanges, stamp);
  requireNotUndone(ownChanges, stamp);
  return states.map((state) => ({
    state,
    ownChange: ownChanges.get(state.environment)?.change,
    changeToUndo: changesToUndo.get(state.environment),
  }));
}

const foundNowhere: ChangeByEnvironment = new Map();

/** Throws if the idempotency key was used by another request, or too long ago. */
function requireUsableIdempotencyKey(ownChanges: ChangeByEnvironment, { requestHash }: Stamp): void {
  for (const { change } of ownChanges.values()) {
    if (change.requestHash !== requestHash) {
      throw new ConflictError(
        "This Idempotency-Key was already used with a different method, path, `by` or body; use a new one",
        { code: "key-used" },
      );
    }
    if (isTooOld(change)) {
      throw new ConflictError(
        `This Idempotency-Key was first used more than ${limits.undoableDays} days ago; use a new one`,
        { code: "key-used", changeId: change.id },
      );
    }
  }
}

function requireNotUndone(ownChanges: ChangeByEnvironment, { requestHash }: Stamp): void {
  for (const [environment, { change, undoneBy }] of ownChanges) {
    if (undoneBy === undefined) continue;
    const advice = requestHash === undefined ? "" : " with a new Idempotency-Key";
    throw new ConflictError(
      `This request was undone in environment "${environment}" by the change ${undoneBy.id}; send it again${advice}`,
      { code: "undone", changeId: change.id, undoneBy: undoneBy.id },
    );
  }
}

/** Finds the change of this id in each environment, with its undo, as of the revision that was read. */
export async function findChangeByEnvironment(
  reader: EnvironmentReader,
  states: EnvironmentStates,
  id: string,
): Promise<ChangeByEnvironment> {
  const carriedIn = ({ carried }: EnvironmentState) => carried.find((change) => change.id === id);
  const isCarriedEverywhere = states.every(carriedIn);
  // The items are read after the environments, and a change becomes an item before its environment drops it:
  //   carried |------------|
  //   item              |--------------
  // A change that the environment lacked is therefore an item by now, or had not been made.
  const items = isCarriedEverywhere ? new Map<string, ChangeWithUndo>() : await reader.readChangeItems(id);
  const byEnvironment = new Map<string, ChangeWithUndo>();
  for (const state of states) {
    const carried = carriedIn(state);
    const stored = carried ? { change: carried } : items.get(state.uid);
    // A change made after the environment was read is not in the content that was read.
    if (stored && stored.change.revision <= state.revision)
      byEnvironment.set(state.environment, withUndo(stored, state));
  }
  return byEnvironment;
}

/** Finds the undo while it is carried. Before the environment drops it, the mark is stored, which gives `undoneBy`. */
function withUndo(
  { change, undoneBy }: ChangeWithUndo,
  { carried, revision }: EnvironmentState,
): ChangeWithUndo {
  const undo = carried.find(({ undoes }) => undoes?.revision === change.revision) ?? undoneBy;
  // An undo made after the environment was read is not in the content that was read.
  if (!undo || undo.revision > revision) return { change };
  return { change, undoneBy: undo };
}
