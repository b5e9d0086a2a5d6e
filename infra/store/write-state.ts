/** Writes the items of a state: projects, features and API keys, as the handlers read them. */
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import type { State } from "../state/state.ts";
import { noContent } from "./content.ts";
import { merge } from "./merge.ts";
import { apiKeyItem, environmentItem, featureItem, importStamp, projectItem } from "./new-items.ts";

const itemsPerBatch = 25;

/** Overwrites items that have the same key. */
export async function writeState({ table, send }: Session, state: State): Promise<void> {
  const items = itemsOf(state);
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

export function itemsOf(state: State): Key[] {
  const { projects, features, apiKeys } = merge(noContent, state);
  const environments = [...features.values()].flatMap(({ project, name: feature, environments }) =>
    [...environments].map(([environment, variants]) =>
      environmentItem({ project, feature, environment, variants, stamp: importStamp() }),
    ),
  );
  return [
    ...apiKeys.map((key) => apiKeyItem(key, importStamp())),
    ...[...projects].map(([id, environments]) => projectItem(id, environments)),
    ...environments,
    ...[...features.values()].map((feature) => featureItem(feature, importStamp())),
  ];
}
