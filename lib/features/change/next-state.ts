/** Makes the state that a change leaves, with the change in it and, unless it is an undo, on top. */
import { limits } from "../../contract/limits.ts";
import { topAfterUndo, toTop } from "../history/top.ts";
import {
  contentOf,
  differingAspects,
  type EnvironmentChange,
  type EnvironmentState,
  type Plan,
} from "../model.ts";
import type { Stamp } from "../stamp.ts";
import { storedBytes } from "../stored-bytes.ts";

/**
 * A change becomes the top, unless it is an undo, which restores the content and the top from before the undone change.
 */
export function nextState(state: EnvironmentState, plan: Plan, stamp: Stamp): EnvironmentState {
  const { undoneChange, trippedGuardName } = plan;
  const revision = state.revision + 1;
  const change: EnvironmentChange = {
    ...stamp,
    revision,
    writtenAt: new Date().toISOString(),
    ...(undoneChange && { undoes: { id: undoneChange.id, revision: undoneChange.revision } }),
    old: Object.fromEntries(differingAspects(state, plan).map((aspect) => [aspect, state[aspect]])),
    oldTop: state.top,
  };
  const top = undoneChange ? topAfterUndo(state.top, undoneChange.oldTop, trippedGuardName) : toTop(change);
  const dropped = isFull(state) ? state.carried : [];
  const stillCarried = isFull(state) ? [] : state.carried;
  // If the list has this id already, a change of more than 30 days ago had the same idempotency key. DynamoDB has deleted
  // that change and all older ones, so the list is cut before it.
  const reusedAt = state.droppedIds.indexOf(stamp.id);
  const droppedIds = reusedAt < 0 ? state.droppedIds : state.droppedIds.slice(0, reusedAt);
  return {
    ...state,
    ...contentOf(plan),
    revision,
    carried: [change, ...stillCarried],
    droppedIds: [...dropped.map(({ id }) => id), ...droppedIds].slice(0, limits.listedChanges),
    top,
  };
}

/** The next write of a full environment drops the changes that it carries. */
export function isFull({ carried }: EnvironmentState): boolean {
  return carried.length >= limits.carriedChanges || storedBytes(carried) > limits.carriedBytes;
}
