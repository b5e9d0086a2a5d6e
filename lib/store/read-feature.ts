/** A feature and all its environments, in one query. */
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Feature } from "../features/feature-store.ts";
import { toEnvironmentState } from "./environment-state.ts";
import {
  type EnvironmentItem,
  type FeatureItem,
  featureKey,
  isFeatureItem,
  isStorableName,
  type Key,
} from "./items.ts";
import type { Session } from "./session.ts";

export async function readFeature(session: Session, name: string): Promise<Feature | undefined> {
  if (!isStorableName(name)) return undefined;
  const items = await readPartition(session, featureKey(name).pk);
  const feature = items.find(isFeatureItem);
  return feature && toFeature(feature, items);
}

/** A page holds at most 1 MB: a few large environments take more than one. */
export async function readPartition({ table, call }: Session, pk: string): Promise<object[]> {
  const items: object[] = [];
  let ExclusiveStartKey: Key | undefined;
  do {
    const query = new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": pk },
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const page = await call((client, options) => client.send(query, options));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey as Key | undefined;
  } while (ExclusiveStartKey);
  return items;
}

/** An environment without its item is being removed with its feature: the feature no longer has it. */
function toFeature({ name, project, environments }: FeatureItem, items: readonly object[]): Feature {
  const states = new Map(
    items
      .filter((item): item is EnvironmentItem => !isFeatureItem(item))
      .map((item) => [item.environment, toEnvironmentState(item)]),
  );
  return {
    name,
    project,
    environments: environments.flatMap((environment) => states.get(environment) ?? []),
  };
}
