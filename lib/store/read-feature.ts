/** A feature and all its environments, in one query; or with one of them, in two reads at once. */
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Feature, Target } from "../features/feature.ts";
import { toEnvironmentState } from "./environment-state.ts";
import { getItem } from "./get-item.ts";
import {
  type EnvironmentItem,
  environmentKey,
  type FeatureItem,
  featureKey,
  isFeatureItem,
  isStorableEnvironment,
  isStorableName,
  type Key,
} from "./items.ts";
import type { Session } from "./session.ts";

export async function readFeature(
  session: Session,
  { feature: name, environment }: Pick<Target, "feature" | "environment">,
): Promise<Feature | undefined> {
  if (!isStorableName(name)) return undefined;
  const items =
    environment === undefined
      ? await readPartition(session, featureKey(name).pk)
      : await readTwo(session, name, environment);
  const feature = items.find(isFeatureItem);
  return feature && toFeature(feature, items);
}

/** At the same time, and no more than is asked for, however many environments there are. */
async function readTwo(session: Session, feature: string, environment: string): Promise<Key[]> {
  const keys = [
    featureKey(feature),
    ...(isStorableEnvironment(environment) ? [environmentKey(feature, environment)] : []),
  ];
  const items = await Promise.all(keys.map((key) => getItem(session, key)));
  return items.filter((item) => item !== undefined);
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
