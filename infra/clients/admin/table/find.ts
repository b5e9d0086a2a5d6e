/** Reads from the table what a command names, or refuses the name. */

import type { Session } from "../../../../lib/store/dynamodb/session.ts";
import type { ApiKeyItem } from "../../../../lib/store/items/items.ts";
import { type FoundFeature, readStoredFeature } from "../../../../lib/store/read-items.ts";
import { didYouMean } from "../../../cli/did-you-mean.ts";
import { withProgress } from "../../../cli/progress.ts";
import { Refusal } from "../../../cli/refusal.ts";
import type { TableContent } from "../../../store/content.ts";
import { readApiKeys, readContent } from "../../../store/read-content.ts";

/** Reads everything but changes, and shows progress where it takes long. */
export function readAll(session: Session): Promise<TableContent> {
  return withProgress("Items read:", undefined, (reach) => readContent(session, reach));
}

/** Reads one feature. The others are read only to suggest another name. */
export async function findFeature(session: Session, name: string): Promise<FoundFeature> {
  const { item, environments } = await readStoredFeature(session, name);
  if (item) return { item, environments };
  const { features } = await readAll(session);
  throw new Refusal(`there is no feature "${name}"${didYouMean(name, features.keys())}`);
}

/** Returns all keys of a name: the current one, and those that are retiring. */
export async function findKeys(session: Session, name: string): Promise<ApiKeyItem[]> {
  const apiKeys = await readApiKeys(session);
  const found = apiKeys.filter((key) => key.name === name);
  if (found.length > 0) return found;
  const names = apiKeys.map((key) => key.name);
  throw new Refusal(`there is no key "${name}"${didYouMean(name, names)}`);
}
