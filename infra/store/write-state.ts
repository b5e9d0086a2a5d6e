/** Stores a state where nothing is yet: projects, features and API keys, as the handlers read them. */
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { hashKey } from "../../lib/access/identify.ts";
import type { Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import type { FeatureState, State } from "../state/state.ts";
import { apiKeyItem, environmentItem, featureItem, projectItem } from "./new-items.ts";

const itemsPerBatch = 25;

/** Environments come before the feature that lists them: a feature that can be found is whole. */
export async function writeState(session: Session, { projects, features, apiKeys }: State): Promise<void> {
  const ofProject = new Map(projects.map((project) => [project.id, project.environments]));
  const has = (feature: FeatureState) => environmentsOf(feature, ofProject.get(feature.project) ?? []);
  const keys = apiKeys.map(({ key = "", keyHash = hashKey(key), ...rest }) => ({ ...rest, keyHash }));
  const environments = features.flatMap((feature) =>
    has(feature).map((name) =>
      environmentItem(feature.name, name, feature.environments?.[name]?.variants ?? []),
    ),
  );
  await write(session, keys.map(apiKeyItem));
  await write(session, projects.map(projectItem));
  await write(session, environments);
  await write(
    session,
    features.map((feature) => featureItem({ ...feature, environments: has(feature) })),
  );
}

/** In the project's order. */
function environmentsOf({ environments: own }: FeatureState, ofProject: readonly string[]): string[] {
  return ofProject.filter((environment) => own === undefined || Object.hasOwn(own, environment));
}

async function write({ table, call }: Session, items: readonly Key[]): Promise<void> {
  for (let from = 0; from < items.length; from += itemsPerBatch) {
    const batch = items.slice(from, from + itemsPerBatch).map((Item) => ({ PutRequest: { Item } }));
    let requests: Record<string, typeof batch> = { [table]: batch };
    while (requests[table]?.length) {
      const written = new BatchWriteCommand({ RequestItems: requests });
      const { UnprocessedItems } = await call((client, options) => client.send(written, options));
      requests = (UnprocessedItems ?? {}) as typeof requests;
    }
  }
}
