/** Plans the undo of a change: each environment that keeps it gets exactly the variants before it. */
import { ConflictError, NotFoundError } from "../contract/errors.ts";
import type { PlannedEnvironment } from "./change-environment.ts";
import type { Planner } from "./change-feature.ts";
import { isUndoable, isUndone } from "./changes.ts";
import type { Change, EnvironmentState } from "./feature.ts";
import { restore } from "./way-back.ts";

/** If any environment refuses the undo as first read, nothing is written. */
export function planUndo(id: string): Planner {
  const find = ({ changes }: EnvironmentState) => changes.find((change) => change.id === id);
  return (states) => {
    const kept = states.flatMap((state) => find(state) ?? []);
    if (kept.length === 0 && !states.some(({ earlierWrite }) => earlierWrite)) {
      throw new NotFoundError(`The change "${id}" is not among the changes that are kept here`);
    }
    const inEffect = states.filter((state) => {
      const change = find(state);
      return change && !isUndone(state.changes, change);
    });
    // An environment that gets the change only after this read is skipped: its permission was not checked.
    const covered = new Set(inEffect.map(({ environment }) => environment));
    return {
      plan(state) {
        requireNotDropped(state, find(state), kept[0]?.at);
        return undoIn(state, covered.has(state.environment) ? find(state) : undefined);
      },
      permissionNeededIn: inEffect,
      plansAllFirst: true,
    };
  };
}

/** `at` is the time of the change; where it is not known, any change that was dropped may be this one. */
function requireNotDropped({ droppedAt }: EnvironmentState, change: Change | undefined, at = ""): void {
  if (change || droppedAt === undefined || droppedAt < at) return;
  throw new ConflictError(
    "It may have dropped this change from its list; undo the change where it is kept, by the route of one environment",
  );
}

function undoIn(
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
