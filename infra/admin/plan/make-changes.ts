/** Executes a plan, many changes at a time. An interruption keeps what is completed. */
import { ApiError } from "../../../lib/contract/errors.ts";
import type { Stamp } from "../../../lib/features/stamp.ts";
import { type ApiKeyItem, apiKeyTableKey, type ProjectItem, projectKey } from "../../../lib/store/items.ts";
import { getItem } from "../../../lib/store/read-items.ts";
import type { Session } from "../../../lib/store/session.ts";
import { withProgress } from "../../cli/progress.ts";
import { Refusal } from "../../cli/refusal.ts";
import { toApiKey, toFeature } from "../../store/content.ts";
import { projectItem } from "../../store/new-items.ts";
import { readStoredFeature } from "../../store/read-table.ts";
import { removeItem, replaceItem, retryConflicts } from "../../store/replace-item.ts";
import { putApiKey, revokeApiKey } from "../../store/write-api-key.ts";
import { deleteFeature, writeFeature } from "../../store/write-feature.ts";
import type { OperatorSession } from "../place.ts";
import { type Change, kinds } from "./changes.ts";

/** Fewer than the SDK's 50 connections, so that no call times out while it waits for one. */
const concurrency = 40;

/**
 * Returns the change as it was planned or, where `current` has something else before it, plans it again. Undefined if
 * nothing is left to do.
 */
export type Replan = <One extends Change>(change: One, current: One) => One | undefined;

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
  const attempt = () => write(session, change, replan, stamp);
  try {
    return await (mayBePatched ? retryConflicts(attempt) : attempt());
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    throw new Refusal(`${kinds[change.kind]} "${change.name}": ${error.message}`);
  }
}

/** The plan is by the index, which may be behind: what it is about is read again first. Returns what was written. */
async function write(
  session: Session,
  change: Change,
  replan: Replan,
  stamp: Stamp,
): Promise<Change | undefined> {
  switch (change.kind) {
    case "project": {
      const stored = await getItem<ProjectItem>(session, projectKey(change.name));
      const planned = replan(change, { ...change, before: stored?.environments });
      if (planned?.after) {
        const item = projectItem(change.name, planned.after);
        await replaceItem(session, stored, () => item);
      } else if (planned && stored) await removeItem(session, stored);
      return planned;
    }
    case "feature": {
      const stored = await readStoredFeature(session, change.name);
      const { item, environments } = stored;
      const before = item && toFeature({ item, environments });
      const planned = replan(change, { ...change, before });
      if (planned?.after) await writeFeature(session, stored, planned.after, stamp);
      else if (planned) await deleteFeature(session, stored);
      return planned;
    }
    case "apiKey": {
      const stored = await getItem<ApiKeyItem>(session, apiKeyTableKey(change.id));
      const before = stored?.revokedAt === undefined ? stored && toApiKey(stored) : undefined;
      const planned = replan(change, { ...change, before });
      if (planned?.after) await putApiKey(session, planned.after, { stored, stamp });
      else if (planned && stored) await revokeApiKey(session, stored, stamp);
      return planned;
    }
  }
}
