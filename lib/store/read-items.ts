/** Reads items, always consistently: a caller sees each acknowledged write. */
import { GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { requireProject } from "../contract/errors.ts";
import type { Session } from "./dynamodb/session.ts";
import {
  type AnyItem,
  type EnvironmentItem,
  type FeatureItem,
  featureTableKey,
  isEnvironmentItem,
  isFeatureItem,
  isReservationItem,
  isStorableName,
  type ProjectItem,
  projectTableKey,
  type ReservationItem,
  type TableKey,
} from "./items/items.ts";

export async function getItem<Item extends TableKey>(
  { table, call }: Session,
  tableKey: TableKey,
): Promise<Item | undefined> {
  const { Item } = await call(new GetCommand({ TableName: table, Key: tableKey, ConsistentRead: true }));
  return Item as Item | undefined;
}

/** Reads every page: a few large environments take more than one of 1 MB. */
export async function readPartition({ table, call }: Session, pk: string): Promise<AnyItem[]> {
  const items: AnyItem[] = [];
  let ExclusiveStartKey: TableKey | undefined;
  do {
    const query = new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": pk },
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const page = await call(query);
    items.push(...((page.Items ?? []) as AnyItem[]));
    ExclusiveStartKey = page.LastEvaluatedKey as TableKey | undefined;
  } while (ExclusiveStartKey);
  return items;
}

/** Returns the names of the project's environments. Throws a NotFoundError if there is no such project. */
export async function readProjectEnvironmentNames(
  session: Session,
  project: string,
): Promise<readonly string[]> {
  return (await requireStoredProject(session, project)).environments;
}

/** Throws a NotFoundError if there is no such project. */
export async function requireStoredProject(session: Session, project: string): Promise<ProjectItem> {
  const item = isStorableName(project)
    ? await getItem<ProjectItem>(session, projectTableKey(project))
    : undefined;
  return requireProject(item, project);
}

export interface StoredFeature {
  /** Absent while the feature is being created, and after its deletion: then its environments belong to no feature. */
  item?: FeatureItem;
  /** The reservation of a creation that has not written the feature's item yet, or was interrupted. */
  reservation?: ReservationItem;
  environments: ReadonlyMap<string, EnvironmentItem>;
}

/** A stored feature that exists. */
export type FoundFeature = Required<Pick<StoredFeature, "item" | "environments">>;

export async function readStoredFeature(session: Session, name: string): Promise<StoredFeature> {
  const items = isStorableName(name) ? await readPartition(session, featureTableKey(name).pk) : [];
  const item = items.find(isFeatureItem);
  const reservation = items.find(isReservationItem);
  const environments = new Map(items.filter(isEnvironmentItem).map((one) => [one.environment, one]));
  return { ...(item && { item }), ...(reservation && { reservation }), environments };
}
