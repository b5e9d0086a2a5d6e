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
import type { WantedFeature } from "./stored.ts";

const itemsPerBatch = 25;

type Write = (session: Session, items: readonly Key[]) => Promise<void>;

/** Environments are written before the feature that lists them, so that a feature that can be found is complete. */
export async function writeState(
  session: Session,
  { projects, features: given, apiKeys }: State,
  write: Write = replaceItems,
): Promise<void> {
  const ofProject = new Map(projects.map((project) => [project.id, project.environments]));
  const features = given.map((feature) => wantedFeature(feature, ofProject.get(feature.project) ?? []));
  const environments = features.flatMap(({ project, name: feature, environments }) =>
    [...environments].map(([environment, variants]) =>
      environmentItem({ project, feature, environment, variants, stamp: importStamp() }),
    ),
  );
  await write(
    session,
    apiKeys.map((key) => apiKeyItem(toNewApiKey(key), importStamp())),
  );
  await write(session, projects.map(projectItem));
  await write(session, environments);
  await write(
    session,
    features.map((feature) => featureItem(feature, importStamp())),
  );
}

/** Without environments of its own, a feature gets all of its project's. */
function wantedFeature(
  { name, project, tags, environments: own }: FeatureState,
  ofProject: readonly string[],
): WantedFeature {
  const has = ofProject.filter((environment) => own === undefined || Object.hasOwn(own, environment));
  const environments = new Map(has.map((environment) => [environment, own?.[environment]?.variants ?? []]));
  return { name, project, tags, environments };
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
