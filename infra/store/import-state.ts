/**
 * Stores a state into an empty table. An import that was interrupted is completed by the next call: until the last item
 * is stored, the table holds a marker that names the state; the command line refuses such a table of a local engine.
 */
import { createHash } from "node:crypto";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { isConditionFailure } from "../../lib/store/failures.ts";
import type { Key } from "../../lib/store/items.ts";
import { getItem } from "../../lib/store/read-items.ts";
import type { Session } from "../../lib/store/session.ts";
import type { State } from "../state/state.ts";
import { deleteItem } from "./delete-item.ts";
import { replaceItems, writeState } from "./write-state.ts";

interface Import {
  state: State;
  /** Names the origin of the state in messages. */
  source: string;
  isEmpty: boolean;
}

interface Marker extends Key {
  source: string;
  digest: string;
}

export type Imported =
  | { outcome: "stored" | "data present" }
  /** An import of another state is not finished, and nothing was written. */
  | { outcome: "other import pending"; source: string };

/** Returns the source of the unfinished import, if there is one. */
export async function findPendingImport(session: Session): Promise<string | undefined> {
  return (await getItem<Marker>(session, markerKey))?.source;
}

const parallelWrites = 25;

const markerKey: Key = { pk: "IMPORT", sk: "IMPORT" };

export async function importState(session: Session, { state, source, isEmpty }: Import): Promise<Imported> {
  const digest = createHash("sha256").update(JSON.stringify(state)).digest("hex");
  const marker: Marker = { ...markerKey, source, digest };
  // Of two imports that start at once, only one stores its marker.
  const isFirst = isEmpty && (await putIfMissing(session, marker));
  const pending = isFirst ? marker : await getItem<Marker>(session, markerKey);
  if (!pending) return { outcome: "data present" };
  if (pending.digest !== digest) return { outcome: "other import pending", source: pending.source };
  // Items that an earlier import stored may have been changed since, so they are not overwritten.
  await writeState(session, state, isFirst ? replaceItems : putMissing);
  await deleteItem(session, markerKey);
  return { outcome: "stored" };
}

async function putMissing(session: Session, items: readonly Key[]): Promise<void> {
  for (let from = 0; from < items.length; from += parallelWrites) {
    await Promise.all(items.slice(from, from + parallelWrites).map((item) => putIfMissing(session, item)));
  }
}

async function putIfMissing({ table, send }: Session, Item: Key): Promise<boolean> {
  const isMissing = "attribute_not_exists(pk)";
  const put = new PutCommand({ TableName: table, Item, ConditionExpression: isMissing });
  try {
    await send(put);
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
}
