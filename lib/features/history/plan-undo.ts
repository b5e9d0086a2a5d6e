/** Plans the undo of a change: it restores exactly the aspects that the change has replaced. */
import { ConflictError, NotFoundError } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import {
  type ChangeWithUndo,
  contentOf,
  type EnvironmentChange,
  type EnvironmentState,
  type EnvironmentWithChanges,
  type Plan,
  type Top,
  type UndoEdit,
} from "../model.ts";
import { isTooOld } from "../stamp.ts";
import { isUnderGuard } from "./top.ts";

/**
 * Plans the undo in one environment. The undo of a trip has `trippedGuardName`: it undoes only what is under that guard.
 */
export function planUndo({ state, changeToUndo }: EnvironmentWithChanges, trippedGuardName?: string): Plan {
  const content = contentOf(state);
  if (!changeToUndo) return content;
  const { change, undoneBy } = changeToUndo;
  // Comes first: a change that is too old is refused in every environment, also where it is undone.
  if (isTooOld(change)) throw tooOldToUndo(change);
  if (undoneBy !== undefined) return content;
  if (!isUndoableHere(change, state)) {
    throw change.undoes ? cannotUndoUndo(change.id, change.undoes.id) : changedSinceBy(state.top);
  }
  if (trippedGuardName !== undefined && !isUnderGuard(state.top, trippedGuardName)) return content;
  return { ...content, ...change.old, undoneChange: change, trippedGuardName };
}

/**
 * Whether the change is on top in the environment, and not too old. An undo is never on top, so it cannot be undone.
 */
export function isUndoableHere(change: EnvironmentChange, { top }: EnvironmentState): boolean {
  return change.revision === top?.revision && !isTooOld(change);
}

/** Whether this environment allows the undo of the change everywhere: it can be undone here, is undone, or was not made. */
export function allowsUndo(stored: ChangeWithUndo | undefined, state: EnvironmentState): boolean {
  return !stored || stored.undoneBy !== undefined || isUndoableHere(stored.change, state);
}

/**
 * Throws if no environment has the change. The undo of an earlier attempt counts too, because the change itself may
 * have expired since.
 */
export function requireChangeToUndo(
  { changeId }: UndoEdit,
  environments: readonly EnvironmentWithChanges[],
): void {
  if (environments.some(({ changeToUndo, ownChange }) => changeToUndo || ownChange)) return;
  const [one, ...others] = environments;
  const where = one && others.length === 0 ? `environment "${one.state.environment}"` : "any environment";
  throw new NotFoundError(
    `There is no change "${changeId}" in ${where} in the last ${limits.keptDays} days; the list of changes has the ids`,
  );
}

function cannotUndoUndo(undo: string, undone: string): ConflictError {
  return new ConflictError(
    `The change ${undo} is an undo and cannot be undone; to make the change ${undone} again, send its difference in the list of changes as a patch`,
    { code: "cannot-undo" },
  );
}

function tooOldToUndo({ id }: EnvironmentChange): ConflictError {
  return new ConflictError(
    `The change ${id} is more than ${limits.undoableDays} days old and cannot be undone; send a patch instead`,
    { code: "cannot-undo" },
  );
}

/** A later change is in effect in the environment, so that this one cannot be undone. */
export class ChangedSinceError extends ConflictError {}

/** The later change may itself be too old to be undone: a late retry writes a new revision with an old `at`. */
export function changedSinceBy(top: Top | null): ChangedSinceError {
  const advice =
    top && isTooOld(top)
      ? `, which is more than ${limits.undoableDays} days old and cannot be undone; send a patch instead`
      : "; undo that change first";
  return new ChangedSinceError(`The feature was changed later by ${top?.id}${advice}`, {
    code: "cannot-undo",
  });
}
