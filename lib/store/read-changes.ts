/** Reads change items: those of one id, or the newest of each environment. */
import { limits } from "../contract/limits.ts";
import type {
  ChangeWithUndo,
  EnvironmentChange,
  EnvironmentState,
  EnvironmentStates,
} from "../features/model.ts";
import { storedBytes } from "../features/stored-bytes.ts";
import type { NewestChanges } from "../features/stores.ts";
import { readItems } from "./dynamodb/batches.ts";
import type { Session } from "./dynamodb/session.ts";
import {
  type ChangeItem,
  changeTableKey,
  isChangeItem,
  isMarkItem,
  isStorableName,
  markTableKey,
  type TableKey,
} from "./items/items.ts";
import { fromStoredChange } from "./items/stored-content.ts";
import { readPartition } from "./read-items.ts";

/** One call reads at most this many change items for a list: 5 MB. */
const itemsPerRead = 25;

/** A list reads no further change items once it has read this many bytes. */
export const listReadBytes = 2_000_000;

export async function readChangeItems(
  session: Session,
  id: string,
): Promise<ReadonlyMap<string, ChangeWithUndo>> {
  const items = isStorableName(id) ? await readPartition(session, changeTableKey(id, "").pk) : [];
  const undos = new Map(
    items.filter(isMarkItem).map(({ sk, undoneBy, revision }) => [sk, { id: undoneBy, revision }]),
  );
  return new Map(
    items
      .filter(isChangeItem)
      .map(({ sk: uid, change }) => [
        uid,
        { change: fromStoredChange(change), undoneBy: undos.get(markTableKey(change, uid).sk) },
      ]),
  );
}

/**
 * Reads the newest change of each environment first, and ends once `maxBytes` were read: a change can have 190 KiB.
 * Changes that environments carry need no call.
 */
export async function readNewestChanges(
  session: Session,
  states: EnvironmentStates,
  { maxBytes = Number.POSITIVE_INFINITY } = {},
): Promise<NewestChanges[]> {
  // One more than is listed shows that there are older ones.
  const wanted = states.flatMap(({ uid, carried, droppedIds }) =>
    droppedIds
      .slice(0, limits.listedChanges + 1 - carried.length)
      .map((id, index) => ({ tableKey: changeTableKey(id, uid), position: carried.length + index })),
  );
  wanted.sort((left, right) => left.position - right.position);
  const read = new Map<string, EnvironmentChange | undefined>();
  let bytes = 0;
  for (let from = 0; from < wanted.length && bytes < maxBytes; from += itemsPerRead) {
    const tableKeys = wanted.slice(from, from + itemsPerRead).map(({ tableKey }) => tableKey);
    const items = await readItems<ChangeItem>(session, tableKeys);
    for (const tableKey of tableKeys) read.set(textOfTableKey(tableKey), undefined);
    for (const item of items) read.set(textOfTableKey(item), fromStoredChange(item.change));
    bytes += storedBytes(items);
  }
  return states.map((state) => newestChanges(state, read));
}

/** The list ends at the first change that is deleted, or that was not read. */
function newestChanges(
  state: EnvironmentState,
  read: ReadonlyMap<string, EnvironmentChange | undefined>,
): NewestChanges {
  const { uid, carried, droppedIds } = state;
  const changes = [...carried];
  let isUnread = false;
  for (const id of droppedIds) {
    const text = textOfTableKey(changeTableKey(id, uid));
    const change = read.get(text);
    isUnread = !read.has(text);
    if (!change) break;
    changes.push(change);
  }
  const { listedChanges } = limits;
  return {
    state,
    changes: changes.slice(0, listedChanges),
    hasMore: isUnread || changes.length > listedChanges,
  };
}

const textOfTableKey = ({ pk, sk }: TableKey): string => `${pk} ${sk}`;
