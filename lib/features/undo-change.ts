/** Plans the undo of a change: each environment that keeps it gets exactly the variants before it. */
import { ConflictError, NotFoundError } from "../contract/errors.ts";
import type { PlannedEnvironment } from "./change-environment.ts";
import type { Operation } from "./change-feature.ts";
import { isUndoable, isUndone } from "./changes.ts";
import type { Change, EnvironmentState } from "./feature.ts";
import { restore } from "./way-back.ts";

/** If the undo is refused in any environment, nothing is written. */
export function undoOperation(id: string): Operation {
  const find = ({ changes }: EnvironmentState) => changes.find((change) => change.id === id);
  const isInEffect = (state: EnvironmentState) => {
    const change = find(state);
    return change !== undefined && !isUndone(state.changes, change);
  };
  return {
    planFor(states) {
      const kept = states.flatMap((state) => find(state) ?? []);
      if (kept.length === 0 && !states.some(({ earlierWrite }) => earlierWrite)) {
        throw new NotFoundError(`No environment of the feature keeps the change "${id}"`);
      }
      // What is made in another environment after this read is not undone: its permission was not checked there.
      const covered = new Set(states.filter(isInEffect).map(({ environment }) => environment));
      return (state) => {
        requireNotDropped(state, find(state), kept[0]?.at);
        const change = covered.has(state.environment) ? find(state) : undefined;
        return planUndo(state, change);
      };
    },
    needsPermissionIn: isInEffect,
    isRefusedAsAWhole: true,
  };
}

/** `at` is the time of the change; where it is not known, any change that was dropped may be this one. */
function requireNotDropped({ droppedAt }: EnvironmentState, change: Change | undefined, at = ""): void {
  if (change || droppedAt === undefined || droppedAt < at) return;
  throw new ConflictError(
    "Its list of changes no longer goes back to this change; undo it in each of the other environments by the route of that environment",
  );
}

function planUndo(
  { environment, variants, changes }: EnvironmentState,
  change: Change | undefined,
): PlannedEnvironment {
  if (!change || isUndone(changes, change)) return { environment, variants, outcome: "unchanged" };
  if (!isUndoable(changes, change)) throw changedSince(change, changes);
  if (!change.wayBack) {
    throw new ConflictError(
      "The variants before the change are not known: they did not fit beside those after it",
    );
  }
  return { environment, outcome: "patched", variants: restore(variants, change.wayBack), undoes: change };
}

function changedSince(change: Change, kept: readonly Change[]): ConflictError {
  if (change.undoes !== undefined) {
    return new ConflictError(
      "It was changed since; an undo can be undone only while it is the newest change",
    );
  }
  const later = kept.slice(0, kept.indexOf(change));
  const inEffect = later.filter((one) => one.undoes === undefined && !isUndone(kept, one));
  const listed = inEffect.map(({ id, by, at }) => `${id} by "${by}" at ${at}`).join(", ");
  return new ConflictError(`It was changed since; undo the later changes first: ${listed}`);
}
