/** Finds a feature by its name, or suggests a similar name. */

import type { Session } from "../../lib/store/session.ts";
import { Refusal } from "../refusal.ts";
import { readStoredFeature } from "../store/read-stored-feature.ts";
import type { StoredFeature } from "../store/stored.ts";
import { toContent } from "./plan/content.ts";
import { readAll } from "./read-all.ts";
import { didYouMean } from "./terminal/nearest.ts";

export type FoundFeature = Required<StoredFeature>;

/** The whole table is read only to suggest another name. */
export async function findFeature(session: Session, name: string): Promise<FoundFeature> {
  const { item, environments } = await readStoredFeature(session, name);
  if (item) return { item, environments };
  const { features } = toContent(await readAll(session));
  throw new Refusal(`there is no feature "${name}"${didYouMean(name, features.keys())}`);
}
