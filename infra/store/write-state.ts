/** Writes the items of a state: projects, features and API keys, as the handlers read them. */
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import type { FeatureState, State } from "../state/state.ts";
import {
  apiKeyItem,
  environmentItem,
  featureItem,
  importStamp,
  projectItem,
  toNewApiKey,
} from "./new-items.ts";

const itemsPerBatch = 25;

type Write = (session: Session, items: readonly Key[]) => Promise<void>;

/** Environments are written before the feature that lists them, so that a feature that can be found is complete. */
export async function writeState(
  session: Session,
  { projects, features, apiKeys }: State,
  write: Write = replaceItems,
): Promise<void> {
  const ofProject = new Map(projects.map((project) => [project.id, project.environments]));
  const has = (feature: FeatureState) => environmentsOf(feature, ofProject.get(feature.project) ?? []);
  const environments = features.flatMap((feature) =>
    has(feature).map((name) =>
      environmentItem({
        project: feature.project,
        feature: feature.name,
        environment: name,
        variants: feature.environments?.[name]?.variants ?? [],
        stamp: importStamp(),
      }),
    ),
  );
  await write(session, apiKeys.map(toNewApiKey).map(apiKeyItem));
  await write(session, projects.map(projectItem));
  await write(session, environments);
  await write(
    session,
    features.map((feature) => featureItem({ ...feature, environments: has(feature), stamp: importStamp() })),
  );
}

/** In the project's order. */
function environmentsOf({ environments: own }: FeatureState, ofProject: readonly string[]): string[] {
  return ofProject.filter((environment) => own === undefined || Object.hasOwn(own, environment));
}

/** Overwrites items that have the same key. */
export async function replaceItems({ table, send }: Session, items: readonly Key[]): Promise<void> {
  for (let from = 0; from < items.length; from += itemsPerBatch) {
    const batch = items.slice(from, from + itemsPerBatch).map((Item) => ({ PutRequest: { Item } }));
    let requests: Record<string, typeof batch> = { [table]: batch };
    while (requests[table]?.length) {
      const written = new BatchWriteCommand({ RequestItems: requests });
      const { UnprocessedItems } = await send(written);
      requests = (UnprocessedItems ?? {}) as typeof requests;
    }
  }
}
