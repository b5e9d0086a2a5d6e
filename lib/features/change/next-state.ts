/** Makes the state that a change leaves, with the change in it. */
import { limits } from "../../contract/limits.ts";
import {
  changedAspects,
  contentOf,
  type EnvironmentChange,
  type EnvironmentState,
  type Plan,
  type Top,
} from "../model.ts";
import type { Stamp } from "../stamp.ts";
import { storedBytes } from "../stored-bytes.ts";

/** A change becomes the top. An undo restores the content and the top that were there before the undone change. */
export function nextState(state: EnvironmentState, plan: Plan, stamp: Stamp): EnvironmentState {
  const { undone, trippedGuard } = plan;
  const revision = state.revision + 1;
  const change: EnvironmentChange = {
    ...stamp,
    revision,
    writtenAt: new Date().toISOString(),
    ...(undone && { undoes: { id: undone.id, revision: undone.revision } }),
    old: Object.fromEntries(changedAspects(state, plan).map((aspect) => [aspect, state[aspect]])),
    oldTop: state.top,
  };
  const dropped = isFull(state) ? state.carried : [];
  const stillCarried = isFull(state) ? [] : state.carried;
  // An id that is in the list already is of a change made more than 30 days ago with the same idempotency key. DynamoDB has
  // deleted it and all older ones, so the list ends before it.
  const reusedAt = state.droppedIds.indexOf(stamp.id);
  const droppedIds = reusedAt < 0 ? state.droppedIds : state.droppedIds.slice(0, reusedAt);
  return {
    ...state,
    ...contentOf(plan),
    revision,
    carried: [change, ...stillCarried],
    droppedIds: [...dropped.map(({ id }) => id), ...droppedIds].slice(0, limits.listedChanges),
    top: undone ? withoutGuard(undone.oldTop, trippedGuard) : toTop(change),
  };
}

/** Returns the top that a change becomes, unless it is an undo. */
export function toTop({ id, revision, at, writtenAt, guard }: EnvironmentChange): Top {
  if (!guard) return { id, revision, at };
  const until = new Date(Date.parse(writtenAt) + guard.seconds * 1000).toISOString();
  return { id, revision, at, guard: { name: guard.name, until } };
}

/** A trip takes back one change: the one below it leaves the guard, so that another trip does not take it back too. */
export function withoutGuard(top: Top | null, trippedGuard: string | undefined): Top | null {
  if (top?.guard === undefined || top.guard.name !== trippedGuard) return top;
  const { guard: _, ...rest } = top;
  return rest;
}

/** The next write of a full environment drops the changes that it carries. `prepareWrites` makes items of them first. */
export function isFull({ carried }: EnvironmentState): boolean {
  return carried.length >= limits.carriedChanges || storedBytes(carried) > limits.carriedBytes;
}
