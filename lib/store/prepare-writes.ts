/**
 * Puts the items that have to be stored before a write:
 * - for a change under a guard, an item by which a trip finds the change
 * - for a full environment, an item of each change that it carries, because the write drops them. The item of an undo
 *   comes with a mark beside the change that it has undone
 *
 * For example, two requests change an environment that is full at revision 7:
 *
 *   environment { revision 7, carries c, b, a }
 *   put CHANGE#c, CHANGE#b, CHANGE#a          by both requests, which put the same items
 *   environment { revision 8, carries d }     by one of them, on the condition that the revision is 7
 *
 * At any time each change is in its environment's item or in an item of its own, and no change item has a change that
 * was not made.
 */
import { guardSlackSeconds } from "../clock.ts";
import { isFull } from "../features/change/next-state.ts";
import {
  needsNoPreparation,
  type Outcome,
  type PreparedOutcome,
  type WritableState,
} from "../features/change/outcome.ts";
import type { EnvironmentChange, EnvironmentState, Target } from "../features/model.ts";
import { putItems } from "./dynamodb/batches.ts";
import type { Session } from "./dynamodb/session.ts";
import {
  type ChangeItem,
  changeTableKey,
  type GuardedItem,
  guardedTableKey,
  guardPartition,
  keptSeconds,
  type MarkItem,
  markTableKey,
  ttlAfter,
} from "./items/items.ts";
import { toStoredChange } from "./items/stored-content.ts";

/** Returns the same outcomes, which may be written from now on. */
export async function prepareWrites(
  session: Session,
  target: Target,
  planned: readonly Outcome[],
): Promise<readonly PreparedOutcome[]> {
  const unprepared = planned.filter((outcome) => !needsNoPreparation(outcome));
  await putItems(session, [
    ...unprepared.flatMap(({ before }) => droppedItems(target.feature, before)),
    ...unprepared.flatMap(({ after }) => toGuardedItems(target, after)),
  ]);
  // The cast is sound: each write has its items now.
  return planned as readonly PreparedOutcome[];
}

export async function prepareWrite(
  session: Session,
  target: Target,
  planned: Outcome,
): Promise<PreparedOutcome> {
  const [prepared] = await prepareWrites(session, target, [planned]);
  return prepared as PreparedOutcome;
}

/** Prepares one write of an operator, which is under no guard. Returns the state, which may be written from now on. */
export async function prepareUnguardedWrite(
  session: Session,
  feature: string,
  state: EnvironmentState,
): Promise<WritableState> {
  await putItems(session, droppedItems(feature, state));
  return state as WritableState;
}

function droppedItems(feature: string, state: EnvironmentState): (ChangeItem | MarkItem)[] {
  return isFull(state) ? state.carried.flatMap((change) => changeItems(feature, state, change)) : [];
}

/** Makes the item by which a trip finds the change, if the change has a guard. */
function toGuardedItems(
  { project, feature }: Target,
  { environment, carried: [change] }: EnvironmentState,
): GuardedItem[] {
  if (!change?.guard) return [];
  const { id, writtenAt, guard } = change;
  const partition = guardPartition(project, environment, guard.name);
  // A parallel attempt that planned earlier, with another clock, may put its item last.
  const ttl = ttlAfter(writtenAt, guard.seconds + guardSlackSeconds);
  return [{ ...guardedTableKey(partition, feature, id, guard.seconds), feature, changeId: id, ttl }];
}

function changeItems(
  feature: string,
  { uid, environment }: EnvironmentState,
  change: EnvironmentChange,
): (ChangeItem | MarkItem)[] {
  const { id, revision, writtenAt, undoes } = change;
  const ttl = ttlAfter(writtenAt, keptSeconds);
  const common = { feature, environment, ttl };
  const item = { ...changeTableKey(id, uid), ...common, change: toStoredChange(change) };
  if (!undoes) return [item];
  return [item, { ...markTableKey(undoes, uid), ...common, undoneBy: id, revision }];
}
