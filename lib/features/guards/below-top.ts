/**
 * Finds the change that a trip would undo if the feature had not been changed since. For example, "errors" trips in an
 * environment where
 *
 *   a   revision 7, under "errors"
 *   b   revision 8, under "errors"
 *   c   revision 9, under no guard: the top
 *
 * are in effect. The trip undoes nothing and reports b. If an earlier trip of "errors" had undone a change between b and c,
 * neither a nor b would be under the guard any more, and the trip would report nothing.
 */
import { limits } from "../../contract/limits.ts";
import { findChangeByEnvironment } from "../history/look-up.ts";
import { isUnderGuard, topAfterUndo, toTop } from "../history/top.ts";
import type { ChangeWithUndo, EnvironmentChange, EnvironmentState, Top } from "../model.ts";
import type { EnvironmentReader } from "../stores.ts";

/** The guard that trips, and the changes that may be under it. */
interface TrippedGuard {
  guardName: string;
  changeIds: ReadonlySet<string>;
}

/** Returns the newest change below the top that is in effect, and under the guard in its time. */
export async function findGuardedBelowTop(
  reader: EnvironmentReader,
  state: EnvironmentState & { top: Top },
  tripped: TrippedGuard,
): Promise<EnvironmentChange | undefined> {
  const madeUnderGuard = await findMadeUnderGuard(reader, state, tripped);
  const oldest = madeUnderGuard.at(-1);
  if (!oldest) return undefined;
  // A stored change keeps its guard as it was set. Only the tops that undos would leave show that an earlier trip has
  // removed a guard (`topAfterUndo`). They may end above a change: then its guard counts as it was set.
  const tops = await findTopsBelow(reader, state, oldest);
  return madeUnderGuard.find((change) =>
    isUnderGuard(tops.get(change.revision) ?? toTop(change), tripped.guardName),
  );
}

/**
 * Returns the changes below the top that are in effect, and were made under the guard, whose time has not ended. The
 * newest comes first.
 */
async function findMadeUnderGuard(
  reader: EnvironmentReader,
  state: EnvironmentState & { top: Top },
  { changeIds, guardName }: TrippedGuard,
): Promise<EnvironmentChange[]> {
  const found: ChangeWithUndo[] = [];
  // One after the other: there may be more than the table has connections for.
  for (const id of changeIds) found.push(...(await findChangeByEnvironment(reader, [state], id)).values());
  return found
    .filter(({ change, undoneBy }) => undoneBy === undefined && change.revision !== state.top.revision)
    .map(({ change }) => change)
    .filter((change) => isUnderGuard(toTop(change), guardName))
    .sort((left, right) => right.revision - left.revision);
}

/**
 * Returns, by revision, the tops that undos would leave, one after the other, down to the given change, or as many as a
 * list of changes has. If a, b and c are in effect: b, which the undo of c leaves, and a, which the next undo leaves.
 */
async function findTopsBelow(
  reader: EnvironmentReader,
  state: EnvironmentState,
  { revision }: EnvironmentChange,
): Promise<ReadonlyMap<number, Top>> {
  const tops = new Map<number, Top>();
  let top = state.top;
  while (top && top.revision > revision && tops.size < limits.listedChanges) {
    const found = await findChangeByEnvironment(reader, [state], top.id);
    top = topAfterUndo(top, found.get(state.environment)?.change.oldTop ?? null);
    if (top) tops.set(top.revision, top);
  }
  return tops;
}
