/** Makes the top of an environment: from a new change, or after an undo. Says whether the top is under a guard. */
import type { EnvironmentChange, Top } from "../model.ts";

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
