/** Reads the features of the table with their changes: all of them, or one feature. */
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { dayMs, limits } from "../../lib/contract/limits.ts";
import type { EnvironmentChange, EnvironmentState } from "../../lib/features/model.ts";
import type { Session } from "../../lib/store/dynamodb/session.ts";
import {
  type AnyItem,
  type EnvironmentItem,
  isChangeItem,
  isEnvironmentItem,
  isFeatureItem,
  type TableKey,
} from "../../lib/store/items/items.ts";
import { fromStoredChange, toEnvironmentState } from "../../lib/store/items/stored-content.ts";
import { readNewestChanges } from "../../lib/store/read-changes.ts";
import type { StoredFeature } from "../../lib/store/read-items.ts";

import { type LifeRecord, recordsOf } from "./records.ts";

interface ScannedFeature extends StoredFeature {
  environments: Map<string, EnvironmentItem>;
}

export interface ScannedTable {
  features: Map<string, ScannedFeature>;
  /** The changes that are items of their own, by the uid of their environment and their revision. */
  changes: Map<string, Map<number, EnvironmentChange>>;
  records: readonly LifeRecord[];
}

export async function readTable(session: Session, onPage?: (items: number) => void): Promise<ScannedTable> {
  const stored = toScannedTable(await scanTable(session, onPage));
  await addMissed(session, stored);
  return stored;
}

/**
 * Adds the changes that became items behind the scan:
 *
 *   scan                passes CHANGE#c, which is not there yet
 *   a writer            puts CHANGE#c; environment { carries d }
 *   scan                reads the environment, which does not carry c
 *
 * Such an environment carries only changes that were written during the scan: within the last day, by any clock.
 */
async function addMissed(session: Session, stored: ScannedTable): Promise<void> {
  const isRecent = ({ carried }: EnvironmentState) =>
    Date.parse(carried.at(-1)?.writtenAt ?? "") > Date.now() - dayMs;
  const lacksSome = (state: EnvironmentState) =>
    allChanges(stored, state).length < state.carried.length + state.droppedIds.length;
  const incomplete = [...stored.features.values()]
    .flatMap(({ environments }) => [...environments.values()])
    .map(toEnvironmentState)
    .filter((state) => isRecent(state) && lacksSome(state));
  const newest = await readNewestChanges(session, incomplete);
  for (const { state, changes } of newest) {
    for (const change of changes) addChange(stored, state.uid, change);
  }
  if (!incomplete.some((state) => mayLackOlder(stored, state))) return;
  // By now all that these environments do not carry are items.
  for (const item of await scanTable(session))
    if (isChangeItem(item)) addChange(stored, item.sk, fromStoredChange(item.change));
}

function mayLackOlder(stored: ScannedTable, state: EnvironmentState): boolean {
  const listed = allChanges(stored, state);
  const oldest = listed.at(-1)?.revision ?? 0;
  const kept = [...(stored.changes.get(state.uid)?.keys() ?? [])];
  return listed.length === limits.listedChanges || kept.some((revision) => revision < oldest);
}

/**
 * Returns the changes of an environment, newest first, up to the first that is missing, as the API's list does: the state
 * after a change follows from the `old` of the newer one. A carried change can be an item too, if the write that was to
 * drop it has failed.
 */
export function allChanges(
  { changes }: ScannedTable,
  { uid, revision, carried }: EnvironmentState,
): EnvironmentChange[] {
  const kept = changes.get(uid) ?? [];
  const all = new Map([...kept, ...carried.map((change) => [change.revision, change] as const)]);
  const listed: EnvironmentChange[] = [];
  for (let next = all.get(revision); next; next = all.get(next.revision - 1)) listed.push(next);
  return listed;
}

function addChange({ changes }: ScannedTable, uid: string, change: EnvironmentChange): void {
  const ofEnvironment = changes.get(uid) ?? new Map<number, EnvironmentChange>();
  changes.set(uid, ofEnvironment.set(change.revision, change));
}

/**
 * Scans the table by pages of 1 MB: one call for hundreds of features, instead of one for each. `onPage` is called after
 * each page with the number of items read so far.
 */
export async function scanTable(
  { table, call }: Session,
  onPage: (items: number) => void = () => {},
): Promise<AnyItem[]> {
  const items: AnyItem[] = [];
  let ExclusiveStartKey: TableKey | undefined;
  do {
    const scan = new ScanCommand({
      TableName: table,
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const page = await call(scan);
    items.push(...((page.Items ?? []) as AnyItem[]));
    onPage(items.length);
    ExclusiveStartKey = page.LastEvaluatedKey as TableKey | undefined;
  } while (ExclusiveStartKey);
  return items;
}

/** Returns the environments in the project's order. One without an item is being removed, so it is left out. */
export function environmentsOf({ item, environments }: StoredFeature): EnvironmentItem[] {
  return item?.environments.flatMap((name) => environments.get(name) ?? []) ?? [];
}

function toScannedTable(items: readonly AnyItem[]): ScannedTable {
  const stored: ScannedTable = { features: new Map(), changes: new Map(), records: recordsOf(items) };
  const { features } = stored;
  for (const item of items) {
    if (isChangeItem(item)) addChange(stored, item.sk, fromStoredChange(item.change));
    else if (isFeatureItem(item)) featureOf(item.name).item = item;
    else if (isEnvironmentItem(item)) featureOf(item.feature).environments.set(item.environment, item);
  }
  return stored;

  function featureOf(name: string): ScannedFeature {
    const feature: ScannedFeature = features.get(name) ?? { environments: new Map() };
    features.set(name, feature);
    return feature;
  }
}
