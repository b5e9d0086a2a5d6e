/** The list of changes of an environment: what it keeps, which changes are in effect, and which can be undone. */
import { limits } from "../contract/limits.ts";
import type { Change, EnvironmentState } from "./feature.ts";
import { attemptedAt, type Stamp } from "./stamp.ts";

export type ChangeList = Pick<EnvironmentState, "changes" | "droppedUntil">;

/** The list after a write: the listed changes, and of older ones what recognises a retry. */
export function addChange({ changes, droppedUntil }: ChangeList, newest: Change): ChangeList {
  const all = [newest, ...changes];
  const ids = keptChanges(all);
  const kept = all.filter(({ id }) => ids.has(id));
  const dropped = all.filter(({ id }) => !ids.has(id));
  const listed = listedChanges(all).length;
  let bytes = 0;
  const changed = kept.map((change, index) => {
    const { wayBack, reason: _, ...others } = change;
    bytes += Buffer.byteLength(JSON.stringify(wayBack ?? null));
    if (index >= listed) return { ...others, by: shortened(others.by) };
    return index === 0 || bytes <= limits.wayBackBytes ? change : { ...change, wayBack: undefined };
  });
  return { changes: changed, droppedUntil: latestTime(droppedUntil, dropped, kept) };
}

/** Of a name, what is kept beyond the listed changes: 64 bytes. */
export function shortened(name: string): string {
  // A character that is cut becomes U+FFFD, which takes three.
  return Buffer.byteLength(name) <= 64 ? name : Buffer.from(name).subarray(0, 61).toString();
}

/** Those before the eleventh in effect, at most twenty: ten, and an undo of each. */
export function listedChanges(kept: readonly Change[]): readonly Change[] {
  const next = changesInEffect(kept)[limits.changes];
  const end = next === undefined ? kept.length : kept.indexOf(next);
  return kept.slice(0, Math.min(end, 2 * limits.changes));
}

/**
 * The ids of the changes to keep: the listed ones, those that can be retried, and the undos in effect of these. While the
 * newest change is an undo it can be undone itself, and then what it undoes is in effect again: of such a chain stays what
 * leads to the last change that can be retried.
 */
function keptChanges(all: readonly Change[]): ReadonlySet<string> {
  const undoOf = undosInEffect(all);
  const end = all.findIndex(({ undoes }, index) => undoes === undefined || undoes !== all[index + 1]?.id);
  // What the chain ends with undoes a change below, which need not be the next one.
  const last = all.findIndex(({ id }) => id === all[end]?.undoes);
  const matters = (change: Change, index: number) => (index <= end || index === last) && isRetryable(change);
  const chain = all.slice(0, Math.min(end, all.findLastIndex(matters)) + 1);
  const base = [...listedChanges(all), ...chain, ...all.filter(isRetryable)];
  const kept = new Set(base.map(({ id }) => id));
  for (const { id, undoes } of all.toReversed()) {
    if (undoes !== undefined && kept.has(undoes) && !undoOf.has(id)) kept.add(id);
  }
  return kept;
}

/**
 * The latest of a time and of those of dropped changes. None of these counts as later than now, as clocks differ; or, where
 * this clock is slow, than the latest that is kept.
 */
export function latestTime(
  time: string | undefined,
  dropped: readonly Change[],
  kept: readonly Change[],
): string | undefined {
  const most = kept.reduce((latest, { at }) => (at > latest ? at : latest), new Date().toISOString());
  const times = dropped.map(({ at }) => (at < most ? at : most));
  return [...(time === undefined ? [] : [time]), ...times].sort().at(-1);
}

/** For how long an environment keeps a change with an idempotency key. */
export const keyMs = limits.idempotencyHours * 3_600_000;

/** Whether it had an idempotency key, and a retry of it is still recognised for certain. */
export function isRetryable(change: Change): boolean {
  return change.key !== undefined && Date.now() < attemptedAt(change) + keyMs;
}

/** The change of an earlier attempt of the request, or of another request with its idempotency key. */
export function findEarlier(kept: readonly Change[], { id, key }: Stamp): Change | undefined {
  return kept.find((change) => change.id === id || (key !== undefined && change.key === key));
}

/** The first of the states' earlier changes. */
export function earlierIn(states: readonly ChangeList[], stamp: Stamp): Change | undefined {
  return states.flatMap(({ changes }) => findEarlier(changes, stamp) ?? [])[0];
}

/** Whether the environment may have dropped a change of that time; overlapping attempts give one change different times. */
export function mayHaveDropped({ droppedUntil }: ChangeList, at: string | undefined): boolean {
  if (droppedUntil === undefined) return false;
  return at === undefined || Date.parse(droppedUntil) > Date.parse(at) - limits.attemptSeconds * 1000;
}

/** The newest change in effect can be undone; so can the newest of all, as undoing an undo makes its change again. */
export function isUndoable(kept: readonly Change[], change: Change): boolean {
  return change === kept[0] || change === changesInEffect(kept)[0];
}

/** Newest first: those that are not undone, and are no undo themselves. */
export function changesInEffect(kept: readonly Change[]): Change[] {
  const undone = undosInEffect(kept);
  return kept.filter(({ id, undoes }) => !undone.has(id) && undoes === undefined);
}

/** The id of the undo in effect that has undone the change. */
export function undoneBy(kept: readonly Change[], { id }: Pick<Change, "id">): string | undefined {
  return undosInEffect(kept).get(id);
}

/**
 * The undo of each change that is undone. From the newest: an undo that was undone itself undoes nothing; nor does it undo a
 * newer change, as an idempotency key makes one with the same id again once the first is dropped.
 */
function undosInEffect(kept: readonly Change[]): ReadonlyMap<string, string> {
  const undone = new Map<string, string>();
  const newer = new Set<string>();
  for (const { id, undoes } of kept) {
    if (undoes !== undefined && !undone.has(id) && !newer.has(undoes)) undone.set(undoes, id);
    newer.add(id);
  }
  return undone;
}
