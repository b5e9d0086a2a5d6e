/** Reads the whole table, and shows progress where it takes long. */
import type { Session } from "../../lib/store/session.ts";
import { Refusal } from "../refusal.ts";
import { readStoredFeature, readTable, type Stored, type StoredFeature } from "../store/read-table.ts";
import { didYouMean } from "./names.ts";
import { createProgress } from "./terminal/progress.ts";

export async function readAll(session: Session): Promise<Stored> {
  const progress = createProgress("Items read:");
  try {
    return await readTable(session, progress.reach);
  } finally {
    progress.end();
  }
}

/** Reads one feature. The whole table is read only to suggest another name. */
export async function findFeature(session: Session, name: string): Promise<Required<StoredFeature>> {
  const { item, environments } = await readStoredFeature(session, name);
  if (item) return { item, environments };
  const { features } = await readAll(session);
  throw new Refusal(`there is no feature "${name}"${didYouMean(name, features.keys())}`);
}
