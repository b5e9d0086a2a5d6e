/** Reads the features of the table with their changes: all of them, or one feature. */
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Change } from "../../lib/features/feature.ts";
import {
  type ApiKeyItem,
  type EnvironmentItem,
  type FeatureItem,
  featureKey,
  isChangeItem,
  isEnvironmentItem,
  isFeatureItem,
  isStorableName,
  type TableKey,
} from "../../lib/store/items.ts";
import { readPartition } from "../../lib/store/read-items.ts";
import type { Session } from "../../lib/store/session.ts";

export interface StoredFeature {
  /** Absent while the feature is being created, and after its removal: then its environments belong to no feature. */
  item?: FeatureItem;
  environments: Map<string, EnvironmentItem>;
}

export interface Stored {
  features: Map<string, StoredFeature>;
  /** Those that are items of their own, by the uid of their environment. */
  changes: Map<string, Change[]>;
}

export async function readTable(session: Session, onPage?: (items: number) => void): Promise<Stored> {
  return toStored(await scanTable(session, onPage));
}

/**
 * Scans the table by pages of 1 MB: one call for hundreds of features, instead of one for each. `onPage` is called after
 * each page with the number of items read so far.
 */
export async function scanTable(
  { table, send }: Session,
  onPage: (items: number) => void = () => {},
): Promise<TableKey[]> {
  const items: TableKey[] = [];
  let ExclusiveStartKey: TableKey | undefined;
  do {
    const scan = new ScanCommand({
      TableName: table,
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const page = await send(scan);
    items.push(...((page.Items ?? []) as TableKey[]));
    onPage(items.length);
    ExclusiveStartKey = page.LastEvaluatedKey as TableKey | undefined;
  } while (ExclusiveStartKey);
  return items;
}

/** Queries the items of one feature. */
export async function readStoredFeature(session: Session, name: string): Promise<StoredFeature> {
  const items = isStorableName(name) ? await readPartition(session, featureKey(name).pk) : [];
  return toStored(items).features.get(name) ?? { environments: new Map() };
}

/** In the project's order. An environment without its item is being removed, so it is left out. */
export function environmentsOf({ item, environments }: StoredFeature): EnvironmentItem[] {
  return item?.environments.flatMap((name) => environments.get(name) ?? []) ?? [];
}

function toStored(items: readonly TableKey[]): Stored {
  const stored: Stored = { features: new Map(), changes: new Map() };
  const { features, changes } = stored;
  for (const item of items) {
    const [kind, name] = splitKey(item.pk);
    if (isChangeItem(item)) changes.set(item.sk, [...(changes.get(item.sk) ?? []), item.change]);
    if (kind !== "FEATURE") continue;
    const feature: StoredFeature = features.get(name) ?? { environments: new Map() };
    features.set(name, feature);
    if (isFeatureItem(item)) feature.item = item;
    else if (isEnvironmentItem(item)) feature.environments.set(item.environment, item);
  }
  return stored;
}

/** Returns the hash of a stored API key. */
export function keyHashOf({ pk }: ApiKeyItem): string {
  return splitKey(pk)[1];
}

function splitKey(pk: string): [kind: string, name: string] {
  const at = pk.indexOf("#");
  return [pk.slice(0, at), pk.slice(at + 1)];
}
