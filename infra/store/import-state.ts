/**
 * Stores the first state into an empty table. Until its last item is stored, the table holds a marker, so that the part
 * that an interruption leaves is refused.
 */
import { ConflictError } from "../../lib/contract/errors.ts";
import { newId } from "../../lib/features/stores.ts";
import { getItem, type Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { Refusal } from "../refusal.ts";
import type { State } from "../state/state.ts";
import { removeItem, replaceItem } from "./replace-item.ts";
import { writeState } from "./write-state.ts";

const markerKey: Key = { pk: "IMPORT", sk: "IMPORT" };

const incomplete =
  "only a part of the first state is stored: the start that stores it is running, or was interrupted; " +
  "in that case delete the data (its folder, or the table), and start again";

/** Returns whether the state was stored; false if there is data already. */
export async function importState(
  session: Session,
  { state, isEmpty }: { state: State; isEmpty: boolean },
): Promise<boolean> {
  if (!isEmpty) {
    await requireComplete(session);
    return false;
  }
  const marker = { ...markerKey, uid: newId() };
  // Of two starts at once, only one stores its marker.
  await replaceItem(session, undefined, () => marker).catch((error: unknown) => {
    throw error instanceof ConflictError ? new Refusal(incomplete) : error;
  });
  await writeState(session, state);
  await removeItem(session, marker);
  return true;
}

export async function requireComplete(session: Session): Promise<void> {
  if (await getItem(session, markerKey)) throw new Refusal(incomplete);
}
