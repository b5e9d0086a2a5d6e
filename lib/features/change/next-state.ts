/** Makes the next change of an environment. */
import { isDeepStrictEqual } from "node:util";
import { limits } from "../../contract/limits.ts";
import { leaveGuard, toTop } from "../guards/guards.ts";
import {
  type Aspect,
  aspects,
  type Change,
  contentOf,
  type EnvironmentContent,
  type EnvironmentState,
  type Plan,
} from "../model.ts";
import type { Stamp } from "../stamp.ts";
import { storedBytes } from "../stored-bytes.ts";

/** A change becomes the top. An undo restores the content and the top that were there before the undone change. */
export function nextState(state: EnvironmentState, plan: Plan, stamp: Stamp): EnvironmentState {
  const { undone, tripped } = plan;
  const revision = state.revision + 1;
  const change: Change = {
    ...stamp,
    revision,
    writtenAt: new Date().toISOString(),
    ...(undone && { undoes: { id: undone.id, revision: undone.revision } }),
    old: Object.fromEntries(aspectsTouched(state, plan).map((aspect) => [aspect, state[aspect]])),
    oldTop: state.top,
  };
  const [staying, dropped] = isFull(state) ? [[], state.carried] : [state.carried, []];
  // If the id is in the list already, its idempotency key was used 30 days ago. That change is deleted, as are all before
  // it, so the list ends there.
  const again = state.olderIds.indexOf(stamp.id);
  const known = again < 0 ? state.olderIds : state.olderIds.slice(0, again);
  return {
    ...state,
    ...contentOf(plan),
    revision,
    carried: [change, ...staying],
    olderIds: [...dropped.map(({ id }) => id), ...known].slice(0, limits.listedChanges),
    top: undone ? leaveGuard(undone.oldTop, tripped) : toTop(change),
  };
}

export function aspectsTouched(before: EnvironmentContent, after: EnvironmentContent): Aspect[] {
  return aspects.filter((aspect) => !isDeepStrictEqual(before[aspect], after[aspect]));
}

/** The next write of a full environment drops the changes that it carries. `keepChanges` makes items of them first. */
export function isFull({ carried }: EnvironmentState): boolean {
  return carried.length >= limits.carriedChanges || storedBytes(carried) > limits.carriedBytes;
}
