/** Stores a state: projects, features and API keys, as the handlers read them. */
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { hashKey } from "../access/identify.ts";
import type { ApiKeyState, FeatureState, State } from "../contract/state.ts";
import {
  type ApiKeyItem,
  apiKeyKey,
  type EnvironmentItem,
  environmentKey,
  type FeatureItem,
  featureKey,
  type Key,
  type ProjectItem,
  projectKey,
  tagMember,
} from "./items.ts";
import type { Session } from "./session.ts";

const itemsPerBatch = 25;

/** Environments come before the feature that lists them: a feature that can be found is whole. */
export async function writeState(session: Session, { projects, features, apiKeys }: State): Promise<void> {
  const environments = new Map(projects.map((project) => [project.id, project.environments]));
  const has = (feature: FeatureState) => environmentsOf(feature, environments.get(feature.project) ?? []);
  await write(session, apiKeys.map(apiKeyItem));
  await write(session, projects.map(projectItem));
  await write(
    session,
    features.flatMap((feature) => has(feature).map((environment) => environmentItem(feature, environment))),
  );
  await write(
    session,
    features.map((feature) => featureItem(feature, has(feature))),
  );
}

/** In the project's order. */
function environmentsOf({ environments: own }: FeatureState, ofProject: readonly string[]): string[] {
  return ofProject.filter((environment) => own === undefined || Object.hasOwn(own, environment));
}

function featureItem({ name, project, tags }: FeatureState, environments: string[]): FeatureItem {
  const members = Object.fromEntries(tags.map((tag) => [tagMember(tag), true as const]));
  return { ...featureKey(name), name, project, environments, tags: members };
}

function environmentItem({ name, environments }: FeatureState, environment: string): EnvironmentItem {
  const variants = environments?.[environment]?.variants ?? [];
  return { ...environmentKey(name, environment), environment, variants, revision: 1, writes: [] };
}

function apiKeyItem({ key, keyHash, ...rest }: ApiKeyState): ApiKeyItem {
  const hash = keyHash ?? hashKey(key ?? "");
  return { ...apiKeyKey(hash), ...rest, createdAt: new Date().toISOString() };
}

function projectItem({ id, environments }: State["projects"][number]): ProjectItem {
  return { ...projectKey(id), id, environments };
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
