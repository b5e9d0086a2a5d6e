/** Writes the items of a state: projects, features and API keys, as the handlers read them. */
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError } from "../../lib/contract/errors.ts";
import { createStamp, newId } from "../../lib/features/stamp.ts";
import { putItems, writeItems } from "../../lib/store/dynamodb/batches.ts";
import type { Session } from "../../lib/store/dynamodb/session.ts";
import type { AnyItem, TableKey } from "../../lib/store/items/items.ts";
import { environmentItem, featureItem } from "../../lib/store/items/new-items.ts";
import { getItem } from "../../lib/store/read-items.ts";
import { removeItem, replaceItem } from "../../lib/store/replace-item.ts";
import { Refusal } from "../cli/refusal.ts";
import type { State } from "../state/state-file-schemas.ts";
import { apiKeyItem, projectItem } from "./key-and-project-items.ts";
import { merge, type WantedState } from "./merge.ts";
import { scanTable } from "./read-table.ts";

const markerKey: TableKey = { pk: "FIRST-STATE", sk: "FIRST-STATE" };

const incomplete =
  "only a part of the first state is stored: the start that stores it is running, or was interrupted; " +
  "in that case delete the data (its folder, or the table), and start again";

/**
 * Stores the first state in an empty table. The table holds a marker until the last item is stored, so that a start
 * refuses the part that an interruption leaves. Returns whether the state was stored: false if there is data already.
 */
export async function storeFirstState(
  session: Session,
  { state, isEmpty }: { state: State; isEmpty: boolean },
): Promise<boolean> {
  if (!isEmpty) {
    await requireComplete(session);
    return false;
  }
  const marker = { ...markerKey, uid: newId() };
  // If two starts run at once, only one stores its marker.
  await replaceItem(session, undefined, () => marker).catch((error: unknown) => {
    throw error instanceof ConflictError ? new Refusal(incomplete) : error;
  });
  // Another start may have stored its state since this one found the table empty.
  const { Count } = await session.call(
    new ScanCommand({ TableName: session.table, ConsistentRead: true, Limit: 2 }),
  );
  const hasMarkerOnly = Count === 1;
  if (hasMarkerOnly) await writeState(session, state);
  await removeItem(session, marker);
  return hasMarkerOnly;
}

export async function requireComplete(session: Session): Promise<void> {
  if (await getItem(session, markerKey)) throw new Refusal(incomplete);
}

/** Overwrites items that have the same table key. */
export async function writeState(session: Session, state: WantedState): Promise<void> {
  await putItems(session, itemsOf(state));
}

/** Deletes every item, for tests that start over. */
export async function emptyTable(session: Session): Promise<void> {
  const items = await scanTable(session);
  const requests = items.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
  await writeItems(session, requests);
}

export function itemsOf(state: WantedState): AnyItem[] {
  const { projects, features, apiKeys } = merge(
    { projects: new Map(), features: new Map(), apiKeys: [] },
    state,
  );
  const newStamp = () => createStamp({ by: "state file", requestId: "state file" });
  const environments = [...features.values()].flatMap(({ project, name: feature, environments }) =>
    [...environments].map(([environment, content]) =>
      environmentItem({ project, feature, environment, ...content, stamp: newStamp() }),
    ),
  );
  return [
    ...apiKeys.map((key) => apiKeyItem(key, newStamp())),
    ...[...projects].map(([id, environments]) => projectItem(id, environments)),
    ...environments,
    ...[...features.values()].map((feature) =>
      featureItem({ ...feature, environments: [...feature.environments.keys()] }, newStamp()),
    ),
  ];
}
