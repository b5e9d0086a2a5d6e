/** Reads changes that are items: those of one id, or the newest of each environment. */
import { limits } from "../contract/limits.ts";
import type { Change, ChangeWithUndo, EnvironmentState, States } from "../features/model.ts";
import type { NewestChanges } from "../features/stores.ts";
import { readItems } from "./batches.ts";
import {
  type ChangeItem,
  changeKey,
  isChangeItem,
  isStorableName,
  isUndoneItem,
  type TableKey,
  undoneKey,
} from "./items.ts";
import { readPartition } from "./read-items.ts";
import type { Session } from "./session.ts";

export async function readChange(session: Session, id: string): Promise<ReadonlyMap<string, ChangeWithUndo>> {
  const items = isStorableName(id) ? await readPartition(session, changeKey(id, "").pk) : [];
  const undone = new Map(items.filter(isUndoneItem).map((item) => [item.sk, item]));
  return new Map(
    items
      .filter(isChangeItem)
      .map(({ sk: uid, change }) => [
        uid,
        { change, undoneBy: undone.get(undoneKey(change, uid).sk)?.undoneBy },
      ]),
  );
}

export async function readNewestChanges(session: Session, states: States): Promise<NewestChanges> {
  // One more than is listed shows that there are older ones.
  const tableKeys = states.flatMap(({ uid, carried, olderIds }) =>
    olderIds.slice(0, limits.listedChanges + 1 - carried.length).map((id) => changeKey(id, uid)),
  );
  const items = await readItems<ChangeItem>(session, tableKeys);
  const byPlace = new Map(items.map((item) => [placeOf(item), item.change]));
  const found = states.map((state) =>
    newestChanges(state, (id) => byPlace.get(placeOf(changeKey(id, state.uid)))),
  );
  return {
    newest: found.map((changes) => changes.slice(0, limits.listedChanges)),
    hasMore: found.some(({ length }) => length > limits.listedChanges),
  };
}

/** Ends at the first change that is no longer kept. */
function newestChanges(
  { carried, olderIds }: EnvironmentState,
  find: (id: string) => Change | undefined,
): Change[] {
  const changes = [...carried, ...olderIds.map(find)];
  const end = changes.indexOf(undefined);
  return changes.slice(0, end < 0 ? undefined : end).flatMap((change) => change ?? []);
}

const placeOf = ({ pk, sk }: TableKey): string => `${pk} ${sk}`;
