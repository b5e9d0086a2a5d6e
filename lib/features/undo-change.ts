/** Plans the undo of a change: each environment that keeps it gets exactly the variants before it. */
import { ConflictError, NotFoundError } from "../contract/errors.ts";
import type { PlannedEnvironment } from "./change-environment.ts";
import type { Operation } from "./change-feature.ts";
import { isUndoable, isUndone } from "./changes.ts";
import type { Change, EnvironmentState } from "./feature.ts";
import { restore } from "./way-back.ts";

/** It is refused before its first write if any environment refuses it. */
export function undoOperation(id: string): Operation {
  const find = ({ changes }: EnvironmentState) => changes.find((change) => change.id === id);
  return {
    planFor(states) {
      const kept = states.flatMap((state) => find(state) ?? []);
      if (kept.length === 0 && !states.some(({ earlierWrite }) => earlierWrite)) {
        throw new NotFoundError(`No environment of the feature keeps the change "${id}"`);
      }
      return (state) => planUndo(state, find(state), kept[0]?.at);
    },
    concerns(state) {
      const change = find(state);
      return change !== undefined && !isUndone(state.changes, change);
    },
    isRefusedAsAWhole: true,
  };
}

/** `at` is the time of the change; where it is not known, any change that was dropped may be this one. */
function planUndo(
  { environment, variants, changes, droppedAt }: EnvironmentState,
  change: Change | undefined,
  at = "",
): PlannedEnvironment {
  if (!change && droppedAt !== undefined && droppedAt >= at) {
    throw new ConflictError(
      "It may have had the change, and does not keep it any more; undo the change in one environment after the other, by the route of each",
    );
  }
  if (!change || isUndone(changes, change)) return { environment, variants, outcome: "unchanged" };
  if (!isUndoable(changes, change)) throw changedSince(changes.slice(0, changes.indexOf(change)), changes);
  if (!change.wayBack) {
    throw new ConflictError(
      "The variants before the change are not known: they did not fit beside those after it",
    );
  }
  return { environment, outcome: "patched", variants: restore(variants, change.wayBack), undoes: change };
}

function changedSince(later: readonly Change[], kept: readonly Change[]): ConflictError {
  const inEffect = later.filter((change) => !isUndone(kept, change));
  const listed = inEffect.map(({ id, by, at }) => `${id} by "${by}" at ${at}`).join(", ");
  return new ConflictError(`It was changed since; undo the later changes first: ${listed}`);
}
