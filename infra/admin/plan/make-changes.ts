/** Executes a plan, many changes at a time. An interruption keeps what is completed. */
import { ApiError } from "../../../lib/contract/errors.ts";
import type { Stamp } from "../../../lib/features/stamp.ts";
import type { Session } from "../../../lib/store/session.ts";
import { withProgress } from "../../cli/progress.ts";
import { Refusal } from "../../cli/refusal.ts";
import { projectItem } from "../../store/new-items.ts";
import { removeItem, replaceItem, retryConflicts } from "../../store/replace-item.ts";
import { putApiKey, revokeApiKey } from "../../store/write-api-key.ts";
import { deleteFeature, writeFeature } from "../../store/write-feature.ts";
import type { OperatorSession } from "../place.ts";
import { type Change, kinds } from "./changes.ts";

/** Fewer than the SDK's 50 connections, so that no call times out while it waits for one. */
const concurrency = 40;

/** Plans a change again from what is stored now. Undefined if nothing is left to do. */
export type Replan = (change: Change) => Promise<Change | undefined>;

/**
 * Reports what was written batch by batch, in the order of the plan. Ends with the first failure, once its whole batch
 * has ended.
 */
export async function makeChanges(
  session: OperatorSession,
  changes: readonly Change[],
  replan: Replan,
  report: (written: Change) => void,
): Promise<void> {
  await withProgress("Written:", changes.length, async (reach, hide) => {
    for (const batch of batchesOf(changes)) {
      const results = await Promise.allSettled(
        batch.map(async (change) => {
          const written = await makeChange(session, change, replan);
          reach();
          return written;
        }),
      );
      hide();
      for (const result of results) if (result.status === "fulfilled" && result.value) report(result.value);
      for (const result of results) if (result.status === "rejected") throw result.reason;
    }
  });
}

/** Adjacent changes of one kind. What is removed waits for the others, so that a key is replaced before it is revoked. */
function batchesOf(changes: readonly Change[]): Change[][] {
  const batches: Change[][] = [];
  for (const change of changes) {
    const last = batches.at(-1) ?? [];
    const [first] = last;
    const fits = first?.kind === change.kind && !first.after === !change.after && last.length < concurrency;
    if (fits) last.push(change);
    else batches.push([change]);
  }
  return batches;
}

/** Returns what was written. Adds the name of the item to an error about it. */
async function makeChange(
  session: OperatorSession,
  change: Change,
  replan: Replan,
): Promise<Change | undefined> {
  const stamp = session.newStamp();
  const mayBePatched = change.kind === "feature" && change.after !== undefined;
  let planned: Change | undefined = change;
  try {
    if (!mayBePatched) await write(session, change, stamp);
    else
      await retryConflicts(async (retry) => {
        if (retry > 0) planned = await replan(change);
        if (planned) await write(session, planned, stamp);
      });
    return planned;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    throw new Refusal(`${kinds[change.kind]} "${change.name}": ${error.message}`);
  }
}

async function write(session: Session, change: Change, stamp: Stamp): Promise<unknown> {
  switch (change.kind) {
    case "project": {
      const { stored, after } = change;
      if (!after) return stored && removeItem(session, stored);
      const item = projectItem(change.name, after);
      return replaceItem(session, stored, () => item);
    }
    case "feature":
      if (change.after) return writeFeature(session, change.stored, change.after, stamp);
      return change.stored && deleteFeature(session, change.stored);
    case "apiKey":
      if (change.after) return putApiKey(session, change.after, { stored: change.stored, stamp });
      return change.stored && revokeApiKey(session, change.stored, stamp);
  }
}
