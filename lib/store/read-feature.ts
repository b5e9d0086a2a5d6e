/** Reads the environments of a feature: all of them, or one. */
import type { EnvironmentState, Target } from "../features/feature.ts";
import {
  type EnvironmentItem,
  environmentKey,
  featureKey,
  isEnvironmentItem,
  isFeatureItem,
  isStorableName,
  type TableKey,
} from "./items.ts";
import { getItem, readPartition } from "./read-items.ts";
import type { Session } from "./session.ts";

export async function readEnvironments(
  session: Session,
  { project, feature: name, environment }: Target,
): Promise<EnvironmentState[] | undefined> {
  if (!isStorableName(name)) return undefined;
  const items =
    environment === undefined
      ? await readPartition(session, featureKey(name).pk)
      : await readTwo(session, name, environment);
  const feature = items.find(isFeatureItem);
  const found = new Map(items.filter(isEnvironmentItem).map((item) => [item.environment, item]));
  // An environment without its item is being removed with its feature.
  const environments = feature?.environments.flatMap((one) => found.get(one) ?? []) ?? [];
  // If one differs, the feature was deleted, and created again in another project, between the reads.
  const isOneFeature = environments.every((item) => item.project === project);
  return feature?.project === project && isOneFeature ? environments.map(toEnvironmentState) : undefined;
}

/** A query would read every environment. */
async function readTwo(session: Session, feature: string, environment: string): Promise<TableKey[]> {
  const isStorable = isStorableName(environment);
  const tableKeys = [featureKey(feature), ...(isStorable ? [environmentKey(feature, environment)] : [])];
  const items = await Promise.all(tableKeys.map((tableKey) => getItem(session, tableKey)));
  return items.filter((item) => item !== undefined);
}

/** Does not compare the project: callers compare the uid. */
export async function readEnvironment(
  session: Session,
  { feature }: Target,
  environment: string,
): Promise<EnvironmentState | undefined> {
  const item = await getItem<EnvironmentItem>(session, environmentKey(feature, environment));
  return item && toEnvironmentState(item);
}

export function toEnvironmentState(item: EnvironmentItem): EnvironmentState {
  const { environment, uid, revision, variants, last, earlier, kept, top } = item;
  return { environment, uid, revision, variants, carried: last ? [last, ...earlier] : [], kept, top };
}
