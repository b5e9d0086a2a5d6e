/** Plans the undo of a change: each environment that keeps it gets exactly the variants before it. */
import { ConflictError, NotFoundError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Plan } from "./change-environment.ts";
import { changesInEffect, earlierIn, isUndoable, mayHaveDropped, undoneBy } from "./changes.ts";
import type { Change, EnvironmentState, States } from "./feature.ts";
import type { Stamp } from "./stamp.ts";
import { restore } from "./variant-diff.ts";

export function planUndo(id: string, states: States, stamp: Stamp): Plan {
  const find = ({ changes }: EnvironmentState) => changes.find((change) => change.id === id);
  const kept = states.flatMap((state) => find(state) ?? []);
  const isRetry = earlierIn(states, stamp) !== undefined;
  if (kept.length === 0 && !isRetry) {
    throw new NotFoundError(`The change "${id}" is not among the changes that are kept here`);
  }
  const at = kept.map((change) => change.at).sort()[0];
  return (state) => {
    const change = find(state);
    if (change) return undoIn(state, change);
    if (undoneBy(state.changes, { id }) || !mayHaveDropped(state, at)) return state;
    throw new ConflictError(
      "It may have dropped this change from its list; undo the change where it is kept, by the route of one environment",
    );
  };
}

function undoIn({ variants, changes }: EnvironmentState, change: Change): ReturnType<Plan> {
  if (undoneBy(changes, change)) return { variants };
  if (!isUndoable(changes, change)) throw changedSince(change, changes);
  if (!change.wayBack) {
    throw new ConflictError("The variants before the change are not kept");
  }
  return { variants: restore(variants, change.wayBack), undoes: change.id };
}

function changedSince(change: Change, kept: readonly Change[]): ConflictError {
  const later = kept.slice(0, kept.indexOf(change));
  const describe = (changes: readonly Change[]) =>
    changes
      .slice(0, limits.changes)
      .map(({ id, by, at }) => `${id} by "${by}" at ${at}`)
      .join(", ");
  if (change.undoes === undefined) {
    const inEffect = describe(changesInEffect(later));
    return new ConflictError(`It was changed since; undo the later changes first: ${inEffect}`);
  }
  return new ConflictError(
    `It was changed since, by ${describe(later)}; an undo can be undone only while it is the newest change. To make the change ${change.undoes} again, send what the list of changes has of it as a new patch`,
  );
}
