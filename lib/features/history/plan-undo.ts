/** Plans the undo of a change, which restores exactly what it has changed. */
import { ConflictError, NotFoundError } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import {
  type Change,
  type ChangeWithUndo,
  contentOf,
  type EnvironmentState,
  type Plan,
  type TargetEnvironment,
  type Top,
  type UndoEdit,
} from "../model.ts";
import { isExpired } from "./look-up.ts";

/** Plans the undo in one environment. The undo of a trip has `trippedGuard`: it undoes only what is under that guard. */
export function planUndo({ state, toUndo }: TargetEnvironment, trippedGuard?: string): Plan {
  const content = contentOf(state);
  if (!toUndo) return content;
  const { change, undoneBy } = toUndo;
  if (canUndo(change, state)) {
    if (trippedGuard !== undefined && !isUnder(state.top, trippedGuard)) return content;
    return { ...content, ...change.old, undone: change, trippedGuard };
  }
  if (isExpired(change)) throw tooOld();
  if (undoneBy !== undefined) return content;
  throw change.undoes ? cannotUndoUndo(change.undoes.id) : changedSince(state.top);
}

/** An undo is never the top, so it cannot be undone. */
export function canUndo(change: Change, { top }: EnvironmentState): boolean {
  return change.revision === top?.revision && !isExpired(change);
}

/** True if the change is absent, undone or on top here. */
export function allowsUndo(made: ChangeWithUndo | undefined, state: EnvironmentState): boolean {
  return !made || made.undoneBy !== undefined || canUndo(made.change, state);
}

export function isUnder(top: Top | null, guard: string): boolean {
  return top?.guard?.name === guard && Date.now() < Date.parse(top.guard.until);
}

/** If an earlier attempt has written the undo, the change itself may be deleted by now. */
export function requireChange({ changeId }: UndoEdit, environments: readonly TargetEnvironment[]): void {
  if (environments.some(({ toUndo, ownChange }) => toUndo || ownChange)) return;
  throw new NotFoundError(`The change "${changeId}" was not made here, or is no longer kept`);
}

function cannotUndoUndo(id: string): ConflictError {
  return new ConflictError(
    `It is an undo, which cannot be undone; to make the change ${id} again, send what the list of changes has of it as a new patch or switch`,
  );
}

function tooOld(): ConflictError {
  return new ConflictError(
    `It was made more than ${limits.usableDays} days ago; send what should be as a new patch or switch`,
  );
}

/** The top is a newer change, but it may be too old to be undone: a late retry writes a new revision with an old `at`. */
function changedSince(top: Top | null): ConflictError {
  if (top && isExpired(top)) {
    return new ConflictError(
      `It was changed since by ${top.id}, which is more than ${limits.usableDays} days old and cannot be undone; send the opposite of what the list of changes has as a new patch`,
    );
  }
  return new ConflictError(`It was changed since; undo ${top?.id} first`);
}
