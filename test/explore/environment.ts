/** An environment as it is stored, as far as the checks look at it. */
import { limits } from "../../lib/contract/limits.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import type { Change } from "../../lib/features/feature.ts";
import { attemptedAt } from "../../lib/features/stamp.ts";
import { fromStoredChange } from "../../lib/store/items.ts";

export interface Environment {
  environment: string;
  project: string;
  /** Another when the environment was made again. */
  uid: string;
  revision: number;
  variants: Variant[];
  changed: { id: string; at: string };
  /** As JSON. */
  changes?: string[];
  droppedUntil?: string;
}

/** Every patch of the scenarios appends its id to a list: it shows what was done, how often and in which order. */
export function marksOf({ variants }: { variants: readonly Variant[] }): readonly string[] {
  return variants[0]?.overrides?.[0]?.values ?? [];
}

export function isOther(was: Environment | undefined, is: Environment): boolean {
  return was?.uid !== is.uid;
}

export function differs(was: Environment | undefined, is: Environment | undefined): boolean {
  return JSON.stringify(was?.variants) !== JSON.stringify(is?.variants);
}

export function changesIn({ changes = [] }: Environment): Change[] {
  return changes.map(fromStoredChange);
}

/**
 * The newest change is that of the write. Older ones stay or are dropped whole, and the time of that is noted; those that
 * can be retried stay.
 */
export function wrongHistory(was: Environment, is: Environment): string[] {
  const { changed, droppedUntil } = is;
  if (!differs(was, is)) return changed.id === was.changed.id ? [] : ["a change that changed nothing"];
  const [newest, ...kept] = changesIn(is).map(({ id }) => id);
  const before = changesIn(was).map(({ id }) => id);
  const now = Math.max(...changesIn(is).map(attemptedAt));
  const canBeRetried = (change: Change) =>
    change.key !== undefined && now < attemptedAt(change) + limits.idempotencyHours * 3_600_000;
  const retryable = changesIn(was).filter(canBeRetried);
  const dropped = before.filter((id) => !kept.includes(id));
  const wrong = {
    [`its newest change is ${newest}`]: newest !== changed.id,
    "other changes than before": String(before.filter((id) => kept.includes(id))) !== String(kept),
    // Its time is not compared: histories that differ in times alone count as one.
    "a change was dropped without a note of its time": dropped.length > 0 && droppedUntil === undefined,
    "one of the newest changes was dropped": before
      .slice(0, limits.changes - 1)
      .some((id) => dropped.includes(id)),
    "a change that can be retried was dropped": retryable.some(({ id }) => dropped.includes(id)),
  };
  return Object.keys(wrong).filter((what) => wrong[what]);
}
