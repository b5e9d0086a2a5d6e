/** Executes a plan, many writes at a time. An interruption keeps what is completed. */
import { ApiError } from "../../../../../lib/contract/errors.ts";
import type { Stamp } from "../../../../../lib/features/stamp.ts";
import { deleteFeature } from "../../../../../lib/store/delete-and-restore.ts";
import { concurrency } from "../../../../../lib/store/dynamodb/batches.ts";
import type { Session } from "../../../../../lib/store/dynamodb/session.ts";
import {
  type ApiKeyItem,
  apiKeyTableKey,
  authorshipOf,
  type ProjectItem,
  projectTableKey,
} from "../../../../../lib/store/items/items.ts";
import { completeDeletion } from "../../../../../lib/store/leftovers.ts";
import { getItem, readStoredFeature } from "../../../../../lib/store/read-items.ts";
import { replaceItem, runRounds } from "../../../../../lib/store/replace-item.ts";
import { withProgress } from "../../../../cli/progress.ts";
import { Refusal } from "../../../../cli/refusal.ts";
import { toApiKey, toFeature } from "../../../../store/content.ts";
import { deleteProject } from "../../../../store/delete-project.ts";
import { projectItem } from "../../../../store/key-and-project-items.ts";
import { newClock } from "../../../../store/open-table.ts";
import { putApiKey, revokeApiKey } from "../../../../store/write-api-key.ts";
import { hasPartOf, writeFeature } from "../../../../store/write-feature.ts";
import type { OperatorSession } from "../with-table.ts";
import { kinds, type PlannedWrite } from "./plan-writes.ts";
import type { Replan } from "./replan.ts";

/**
 * Reports what was written batch by batch, in the order of the plan. Ends with the first failure, once its whole batch
 * has ended.
 */
export async function applyPlan(
  session: OperatorSession,
  plan: readonly PlannedWrite[],
  replan: Replan,
  report: (written: PlannedWrite) => void,
): Promise<void> {
  await withProgress("Written:", plan.length, async (reach, hide) => {
    for (const batch of batchesOf(plan)) {
      const results = await Promise.allSettled(
        batch.map(async (planned) => {
          const written = await applyWrite(session, planned, replan);
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

/** Batches adjacent writes of one kind. Removals come in batches of their own, so that a key is replaced before it is revoked. */
function batchesOf(plan: readonly PlannedWrite[]): PlannedWrite[][] {
  const batches: PlannedWrite[][] = [];
  for (const planned of plan) {
    const last = batches.at(-1) ?? [];
    const [first] = last;
    const fits = first?.kind === planned.kind && !first.after === !planned.after && last.length < concurrency;
    if (fits) last.push(planned);
    else batches.push([planned]);
  }
  return batches;
}

/** Returns what was written. Adds the name of the item to an error about it. */
async function applyWrite(
  session: OperatorSession,
  planned: PlannedWrite,
  replan: Replan,
): Promise<PlannedWrite | undefined> {
  try {
    return await write(session, planned, replan, session.newStamp());
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    throw new Refusal(`${kinds[planned.kind]} "${planned.name}": ${error.message}`);
  }
}

/** Reads the item again first, as the plan is from the index, which may be behind. Returns what was written. */
async function write(
  session: Session,
  planned: PlannedWrite,
  replan: Replan,
  stamp: Stamp,
): Promise<PlannedWrite | undefined> {
  switch (planned.kind) {
    case "project": {
      const stored = await getItem<ProjectItem>(session, projectTableKey(planned.name));
      const fresh = replan(planned, { ...planned, before: stored?.environments });
      if (fresh?.after) {
        const item = projectItem(planned.name, fresh.after, stored ? stored.creation : authorshipOf(stamp));
        await replaceItem(session, stored, () => item);
      } else if (fresh && stored) await deleteProject(session, stored, stamp);
      return fresh;
    }
    case "feature":
      return writePlannedFeature(session, planned, replan, stamp);
    case "apiKey": {
      const stored = await getItem<ApiKeyItem>(session, apiKeyTableKey(planned.id));
      const before = stored?.revokedAt === undefined ? stored && toApiKey(stored) : undefined;
      const fresh = replan(planned, { ...planned, before });
      if (fresh?.after) await putApiKey(session, fresh.after, { stored, stamp });
      else if (fresh && stored) await revokeApiKey(session, stored, stamp);
      return fresh;
    }
  }
}

type FeatureWrite = Extract<PlannedWrite, { kind: "feature" }>;

/** Retries if callers patch the feature meanwhile, unless the write removes it. */
async function writePlannedFeature(
  session: Session,
  planned: FeatureWrite,
  replan: Replan,
  stamp: Stamp,
): Promise<FeatureWrite | undefined> {
  let written: FeatureWrite | undefined;
  const round = async (): Promise<void> => {
    const stored = await readStoredFeature(session, planned.name);
    // Completes an interrupted deletion first, so that the kept content has what patches have written since.
    if (await completeDeletion(session, stored)) return round();
    const { item, environments } = stored;
    const before = item && toFeature({ item, environments });
    const fresh = replan(planned, { ...planned, before });
    // Once an earlier round has written a part, the difference is no longer the whole write.
    if (!hasPartOf(stored, stamp)) written = fresh;
    if (fresh?.after) await writeFeature(session, stored, fresh.after, stamp);
    else if (fresh && item) await deleteFeature(session, { item, environments }, stamp);
  };
  await (planned.after ? runRounds(newClock(), round) : round());
  return written;
}
