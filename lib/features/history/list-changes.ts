/** Lists the newest changes of a feature's environments, with their differences and whether they can be undone. */

import type { ListedChange, ListedEnvironmentChange } from "../../contract/responses/changes.ts";
import { firstThatFit } from "../lists/first-that-fit.ts";
import type {
  ChangeByEnvironment,
  ChangeRef,
  ChangeWithUndo,
  EnvironmentChange,
  EnvironmentContent,
  EnvironmentState,
  EnvironmentStates,
} from "../model.ts";
import { roundMoves } from "../moves/moved-share.ts";
import { movesBetween } from "../moves/moves.ts";
import { contentDifference } from "../patch/differences.ts";
import { describeOptions, type StoredOptions } from "../stamp.ts";
import type { EnvironmentReader, NewestChanges } from "../stores.ts";
import { findChangeByEnvironment } from "./look-up.ts";
import { allowsUndo, isUndoableHere } from "./plan-undo.ts";

interface ChangeWithContent extends ChangeWithUndo {
  after: EnvironmentContent;
}

/** Reads the newest changes of each environment, as many as fit in a response. */
export async function listChanges(reader: EnvironmentReader, feature: string, states: EnvironmentStates) {
  const lists = await reader.readNewestChanges(states);
  const all = mergeChanges(feature, lists, await findChangesOnTop(reader, states, lists));
  const changes = firstThatFit(all);
  return { changes, hasMore: changes.length < all.length || lists.some(({ hasMore }) => hasMore) };
}

/**
 * Lists the changes of the environments together. `canUndo` needs every environment to allow it. An environment that never
 * had the change allows it. A list that was cut short cannot show whether its environment has the change: for the changes
 * that are on top somewhere, `changesOnTop` (by id) says so.
 */
export function mergeChanges(
  feature: string,
  lists: readonly Pick<NewestChanges, "state" | "changes">[],
  changesOnTop: ReadonlyMap<string, ChangeByEnvironment> = new Map(),
): ListedChange[] {
  const listed = lists.map(({ state, changes }) => ({ state, byId: reconstructContents(changes, state) }));
  const isUndoableEverywhere = (id: string) => {
    const onTop = changesOnTop.get(id);
    return listed.every(({ state, byId }) =>
      allowsUndo(onTop ? onTop.get(state.environment) : byId.get(id), state),
    );
  };
  return mergeNewestFirst(lists.map(({ changes }) => changes)).map((change): ListedChange => {
    const { id, by, at, undoes } = change;
    const options: Pick<ListedChange, keyof StoredOptions> = describeOptions(change);
    const environments = listed.flatMap(({ state, byId }) => {
      const listedChange = byId.get(id);
      return listedChange
        ? [toListedEnvironmentChange(feature, listedChange, state, isUndoableEverywhere)]
        : [];
    });
    return { id, by, at, ...options, ...(undoes && { undoes: undoes.id }), environments };
  });
}

/**
 * Returns each change by its id, with its undo and with the content that it left. Goes from the newest change back: the
 * content that a change left is what the next newer one replaced, and an undo comes before the change that it undoes.
 */
function reconstructContents(
  changes: readonly EnvironmentChange[],
  state: EnvironmentState,
): ReadonlyMap<string, ChangeWithContent> {
  const listed = new Map<string, ChangeWithContent>();
  const undos = new Map<number, ChangeRef>();
  let after: EnvironmentContent = state;
  for (const change of changes) {
    const { id, revision, undoes, old } = change;
    listed.set(id, { change, undoneBy: undos.get(revision), after });
    if (undoes) undos.set(undoes.revision, change);
    after = { ...after, ...old };
  }
  return listed;
}

/**
 * Looks up the changes on top, by their ids. The change that is on top of one environment may be so old in another that
 * the list of that one lacks it.
 */
async function findChangesOnTop(
  reader: EnvironmentReader,
  states: EnvironmentStates,
  lists: readonly NewestChanges[],
): Promise<ReadonlyMap<string, ChangeByEnvironment>> {
  const topIds = new Set(states.flatMap(({ top }) => top?.id ?? []));
  const mayLack = (id: string) =>
    lists.some(({ changes, hasMore }) => hasMore && !changes.some((change) => change.id === id));
  const lookUps = [...topIds]
    .filter(mayLack)
    .map(async (id) => [id, await findChangeByEnvironment(reader, states, id)] as const);
  return new Map(await Promise.all(lookUps));
}

function toListedEnvironmentChange(
  feature: string,
  { change, undoneBy, after }: ChangeWithContent,
  state: EnvironmentState,
  isUndoableEverywhere: (id: string) => boolean,
): ListedEnvironmentChange {
  const before = { ...after, ...change.old };
  const isTop = change.revision === state.top?.revision;
  return {
    environment: state.environment,
    writtenAt: change.writtenAt,
    difference: contentDifference(before, after),
    moves: roundMoves(movesBetween(feature, before, after)),
    isTop,
    canUndo: isUndoableHere(change, state) && isUndoableEverywhere(change.id),
    ...(isTop && state.top?.guard && { guardedUntil: state.top.guard.until }),
    ...(undoneBy && { undoneBy: undoneBy.id }),
  };
}

/** The changes of one environment are in the order of its writes. Those of several are sorted by their newest write. */
function mergeNewestFirst(lists: readonly (readonly EnvironmentChange[])[]): readonly EnvironmentChange[] {
  const all = lists.flat();
  if (lists.length === 1) return all;
  const newest = new Map<string, EnvironmentChange>();
  for (const change of all) {
    const { writtenAt = "" } = newest.get(change.id) ?? {};
    if (change.writtenAt > writtenAt) newest.set(change.id, change);
  }
  return [...newest.values()].sort((left, right) => right.writtenAt.localeCompare(left.writtenAt));
}
