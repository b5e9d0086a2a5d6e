/** Makes the state that a change leaves, with the change in it and, unless it is an undo, on top. */
import { limits } from "../../contract/limits.ts";
import {
  contentOf,
  differingAspects,
  type EnvironmentChange,
  type EnvironmentState,
  type Plan,
  type Top,
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

/** Makes the top of an environment from its newest change in effect, which is never an undo. */
export function toTop({ id, revision, at, writtenAt, guard }: EnvironmentChange): Top {
  if (!guard) return { id, revision, at };
  const until = new Date(Date.parse(writtenAt) + guard.seconds * 1000).toISOString();
  return { id, revision, at, guard: { name: guard.name, until } };
}

/**
 * We assume that at most 10 different guards trip in one environment within a day, the longest time that a change is
 * under its guard. Beyond that, the first of them is forgotten, and another trip of it may undo an older change.
 */
const maxTrippedGuards = 10;

/**
 * Returns the top that the undo of `top` leaves: `oldTop`, without its guard if a trip of this guard has undone a later
 * change. A trip takes back one change, so no older one is under the guard any more. For example, a, b and c are made
 * under "errors":
 *
 *   a trip undoes c      leaves b, with the `trippedGuards` ["errors"] and without its guard: another trip finds nothing
 *   a caller undoes b    leaves a, also with these and without its guard
 */
export function topAfterUndo(top: Top | null, oldTop: Top | null, trippedGuardName?: string): Top | null {
  const earlier = [...(top?.trippedGuards ?? []), ...(oldTop?.trippedGuards ?? [])];
  const all = [...new Set(trippedGuardName === undefined ? earlier : [trippedGuardName, ...earlier])];
  if (!oldTop || all.length === 0) return oldTop;
  const { guard, ...rest } = oldTop;
  const trippedGuards = all.slice(0, maxTrippedGuards);
  return { ...rest, ...(guard && !all.includes(guard.name) && { guard }), trippedGuards };
}

/** Whether a trip of the guard may undo the top. */
export function isUnderGuard(top: Top | null, guardName: string): boolean {
  return top?.guard?.name === guardName && Date.now() < Date.parse(top.guard.until);
}

/** The next write of a full environment drops the changes that it carries. */
export function isFull({ carried }: EnvironmentState): boolean {
  return carried.length >= limits.carriedChanges || storedBytes(carried) > limits.carriedBytes;
}
