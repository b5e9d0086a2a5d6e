/** Reads one feature as it is stored, without a scan. */
import { featureKey, isStorableName, readPartition } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { addItem, emptyStored, type StoredFeature } from "./stored.ts";

export async function readStoredFeature(session: Session, name: string): Promise<StoredFeature> {
  const stored = emptyStored();
  const items = isStorableName(name) ? await readPartition(session, featureKey(name).pk) : [];
  for (const item of items) addItem(stored, item);
  return stored.features.get(name) ?? { environments: new Map() };
}
