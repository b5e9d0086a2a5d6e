/** Guards: which change of an environment an alarm takes back. */
import type { Change, Top } from "../model.ts";

/** The top that a change becomes, unless it is an undo. */
export function toTop({ id, revision, at, writtenAt, guard }: Change): Top {
  if (!guard) return { id, revision, at };
  const until = new Date(Date.parse(writtenAt) + guard.seconds * 1000).toISOString();
  return { id, revision, at, guard: { name: guard.name, until } };
}

/** A trip takes back one change: the one below it leaves the guard, so that another trip does not take it back too. */
export function leaveGuard(top: Top | null, tripped: string | undefined): Top | null {
  if (top?.guard === undefined || top.guard.name !== tripped) return top;
  const { guard: _, ...rest } = top;
  return rest;
}

export function isUnder(top: Top | null, guard: string): boolean {
  return top?.guard?.name === guard && Date.now() < Date.parse(top.guard.until);
}

/** Whether a change that is no longer on top would be under the guard. */
export function wouldBeUnder(change: Change, guard: string): boolean {
  return isUnder(toTop(change), guard);
}
