/** The changes of an environment: how the next one is made, and which can be undone. */
import { limits } from "../contract/limits.ts";
import type { Change, EnvironmentState, Planned, States } from "./feature.ts";
import type { Stamp } from "./stamp.ts";

/** The next revision. A change comes to the top; its undo restores what was there before, variants and top. */
export function nextState(
  state: EnvironmentState,
  { variants, undoes }: Planned,
  stamp: Stamp,
): EnvironmentState {
  const revision = state.revision + 1;
  const change: Change = {
    ...stamp,
    revision,
    ...(undoes && { undoes: { id: undoes.id, revision: undoes.revision } }),
    before: state.variants,
    topBefore: state.top,
  };
  // The changes that a full environment carries are items by now.
  const [staying, dropped] = isFull(state) ? [[], state.carried] : [state.carried, []];
  return {
    ...state,
    revision,
    variants,
    carried: [change, ...staying],
    kept: [...dropped.map(({ id }) => id), ...state.kept].slice(0, limits.listedChanges),
    top: undoes ? undoes.topBefore : { id: stamp.id, revision },
  };
}

/** The next write of a full environment drops the changes that it carries: they must be items beforehand. */
export function isFull({ carried }: EnvironmentState): boolean {
  return carried.length >= limits.carriedChanges || JSON.stringify(carried).length > limits.carriedBytes;
}

/** Only the newest change in effect can be undone. An undo is never in effect itself. */
export function canUndo(change: Change, state: EnvironmentState, states: States): boolean {
  return change.revision === state.top?.revision && !isTooOld(change, states);
}

/**
 * DynamoDB deletes an expired change in one environment earlier than in another, so that it may be missing where it was
 * made. It cannot be missing if every environment that was ever changed has it as its last change, which it carries.
 */
export function isTooOld(change: Change, states: States): boolean {
  return (
    isExpired(change) && states.some(({ carried: [last] }) => last !== undefined && last.id !== change.id)
  );
}

const dayMs = 24 * 3_600_000;

export function isExpired({ at }: Pick<Change, "at">): boolean {
  return Date.now() >= Date.parse(at) + limits.usableDays * dayMs;
}
