/** Reads the whole table, and shows progress where it takes long. */

import type { Session } from "../../lib/store/session.ts";
import { readTable } from "../store/read-table.ts";
import type { Stored } from "../store/stored.ts";
import { createProgress } from "./terminal/progress.ts";

export function readAll(session: Session): Promise<Stored> {
  return read(session, false);
}

export function readProjectsAndKeys(session: Session): Promise<Stored> {
  return read(session, true);
}

async function read(session: Session, withoutFeatures: boolean): Promise<Stored> {
  const progress = createProgress("Items read:");
  try {
    return await readTable(session, { onPage: progress.reach, withoutFeatures });
  } finally {
    progress.end();
  }
}
