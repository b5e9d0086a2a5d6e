/** An environment as it is stored, as far as the checks look at it. */
import type { Variant } from "../../lib/contract/variants.ts";

export interface Environment {
  environment: string;
  project: string;
  /** Another when the environment was made again. */
  uid: string;
  revision: number;
  variants: Variant[];
  changed: { id: string; at: string; revision?: number; undoes?: string };
  /** As JSON. */
  changes?: string[];
  droppedAt?: string;
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

function olderIn({ changes = [] }: Environment): { id: string; at: string }[] {
  return changes.map((change) => JSON.parse(change));
}

/** The newest change is that of the write; older ones stay until they are dropped whole, and the time of that is noted. */
export function wrongHistory(was: Environment, is: Environment): string[] {
  const { changed, droppedAt } = is;
  const changes = olderIn(is);
  if (!differs(was, is)) return changed.id === was.changed.id ? [] : ["a change that changed nothing"];
  const before = [...(was.changed.revision === undefined ? [] : [was.changed]), ...olderIn(was)];
  const kept = before.slice(0, changes.length);
  const dropped = before.slice(changes.length);
  return [
    ...(changed.revision === is.revision ? [] : [`its newest change made revision ${changed.revision}`]),
    ...(String(kept.map(({ id }) => id)) === String(changes.map(({ id }) => id))
      ? []
      : ["other changes than before"]),
    // Its time is not compared: histories that differ in times alone count as one.
    ...(dropped.length === 0 || droppedAt !== undefined
      ? []
      : ["a change was dropped without a note of its time"]),
  ];
}
