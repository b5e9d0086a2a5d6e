/** Executes a plan, many features at a time. An interruption keeps what is completed. */
import pLimit from "p-limit";
import { ApiError } from "../../../lib/contract/errors.ts";
import type { Stamp } from "../../../lib/features/stores.ts";
import type { Session } from "../../../lib/store/session.ts";
import { Refusal } from "../../refusal.ts";
import { putApiKey, revokeApiKey } from "../../store/write-api-key.ts";
import { deleteFeature, writeFeature } from "../../store/write-feature.ts";
import { writeProject } from "../../store/write-project.ts";
import { createStamps, type OperatorSession } from "../operator.ts";
import type { Change } from "./changes.ts";

/** As many concurrent calls as the SDK keeps connections for. */
const concurrency = 40;

/** Adjacent changes of one kind run in parallel, different kinds one after the other. */
export async function makeChanges(
  session: OperatorSession,
  changes: readonly Change[],
  onDone: () => void = () => {},
): Promise<void> {
  const newStamp = createStamps(session);
  for (const group of groups(changes)) {
    await inParallel(group, async (change) => {
      await named(change, () => makeChange(session, change, newStamp()));
      onDone();
    });
  }
}

/** Rejects with the first failure, once running work ended; the rest is not started. */
async function inParallel(
  changes: readonly Change[],
  make: (change: Change) => Promise<void>,
): Promise<void> {
  const limit = pLimit({ concurrency, rejectOnClear: true });
  const run = (change: Change) =>
    limit(make, change).catch((error: unknown) => {
      limit.clearQueue();
      throw error;
    });
  const results = await Promise.allSettled(changes.map(run));
  const failure = results.find(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
}

async function makeChange(session: Session, change: Change, stamp: Stamp): Promise<void> {
  switch (change.kind) {
    case "project":
      return writeProject(session, change.name, { stored: change.stored, environments: change.after });
    case "feature": {
      const { name, stored, after } = change;
      if (after) return writeFeature(session, stored, after, { stamp });
      return deleteFeature(session, name, stored ?? { environments: new Map() });
    }
    case "apiKey": {
      const { after, stored, leaving } = change;
      if (after) await putApiKey(session, after, { stored, stamp });
      for (const key of leaving) await revokeApiKey(session, key, stamp);
    }
  }
}

/** Adds the name of the item to an error about it. */
async function named({ kind, name }: Change, make: () => Promise<void>): Promise<void> {
  try {
    await make();
  } catch (error) {
    const isOfTheItem = error instanceof ApiError && error.status < 500;
    throw isOfTheItem
      ? new Refusal(`${kind === "apiKey" ? "key" : kind} "${name}": ${error.message}`)
      : error;
  }
}

function groups(changes: readonly Change[]): Change[][] {
  const all: Change[][] = [];
  for (const change of changes) {
    const last = all.at(-1);
    if (last?.[0]?.kind === change.kind) last.push(change);
    else all.push([change]);
  }
  return all;
}
