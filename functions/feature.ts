/** What the routes of a feature share: their paths, the options of its changes, and the answer to a change. */
import * as z from "zod/mini";
import { changeFeature, previewFeature } from "../lib/features/change/change-feature.ts";
import type { PlannedOutcome } from "../lib/features/change/outcome.ts";
import { bodyAfter, bodyOfPreview, hasChange, type Shown, toDetail } from "../lib/features/change/report.ts";
import type { ChangeRequest, Edit, Target } from "../lib/features/model.ts";
import { movedShare, roundShare } from "../lib/features/moves/moves.ts";
import type { EnvironmentStore } from "../lib/features/stores.ts";
import type { Answer, Request } from "../lib/http/route.ts";

export const featurePath = "/api/admin/projects/{projectId}/features/{featureName}";
export const environmentPath = `${featurePath}/environments/{environment}` as const;
export const allEnvironmentsVariantsPath = `${featurePath}/variants` as const;
export const environmentVariantsPath = `${environmentPath}/variants` as const;

/** The headers that an undo accepts. No undo can be under a guard. */
export const undoHeaders = [
  "prefer",
  "if-match",
  "if-none-match",
  "idempotency-key",
  "burgee-reason",
  "burgee-most-moves",
] as const;

/** The headers that a patch and a switch accept. */
export const changeHeaders = [...undoHeaders, "burgee-guard"] as const;

export const noBody = {
  accepts: ["application/json"],
  schema: z.strictObject({}),
  isOptional: true,
} as const;

/** The parameters in the paths; the OpenAPI document quotes the comments. */
export interface FeaturePath {
  /** The id of the project. */
  projectId: string;
  /** The name of the feature; case-sensitive. */
  featureName: string;
  /** The name of the environment; case-sensitive. */
  environment?: string;
}

/** Changes the feature, or previews that: the same for a patch, a switch and an undo. */
export async function answerChange(
  { path, caller, options, stamp, store, clock }: Request<EnvironmentStore, FeaturePath, unknown>,
  edit: Edit,
  { strict: isStrict }: Pick<ChangeRequest, "strict">,
  shown: Shown,
): Promise<Answer> {
  const { dryRun, ifMatch, ifNoneMatch, mostMoves } = options;
  const target = toTarget(path);
  const preconditions = { ifMatch, ifNoneMatch };
  // A change that would move too many users in one environment is made in none, as each is checked before the first write.
  const strict = isStrict || (mostMoves !== undefined && !dryRun);
  const request: ChangeRequest = { target, caller, edit, stamp, strict, mostMoves, preconditions };
  if (dryRun) {
    const { outcomes, missing, etag } = await previewFeature(store, request);
    const missingPermissions = missing.length > 0 ? missing : undefined;
    return {
      status: 200,
      etag,
      body: { ...bodyOfPreview(outcomes, shown), missingPermissions },
      outcomes: outcomes.map(toDetail),
      log: { moves: mostMoved(sharesOf(outcomes)) },
    };
  }
  const { outcomes, etag } = await changeFeature(store, clock, request);
  const moves = sharesOf(outcomes);
  return {
    status: 200,
    etag,
    moves,
    log: { moves: mostMoved(moves) },
    change: hasChange(outcomes) ? stamp.id : undefined,
    hint: hintOf(outcomes),
    body: bodyAfter(outcomes, shown),
    outcomes: outcomes.map(toDetail),
  };
}

export function toTarget({ projectId: project, featureName: feature, environment }: FeaturePath): Target {
  return { project, feature, environment };
}

/** The share of the users who move in every environment whose moves are known. */
function sharesOf(outcomes: readonly PlannedOutcome[]): ReadonlyMap<string, number | null> {
  return new Map(
    outcomes.flatMap(({ after, moves }) => {
      const share = moves && movedShare(moves);
      return share === undefined ? [] : [[after.environment, share && roundShare(share)]];
    }),
  );
}

/** The largest of the shares. Undefined: the moves of no environment are known. Null: a share cannot be computed. */
function mostMoved(shares: ReadonlyMap<string, number | null>): number | null | undefined {
  let most: number | undefined;
  for (const share of shares.values()) {
    if (share === null) return null;
    most = Math.max(most ?? 0, share);
  }
  return most;
}

function hintOf(outcomes: readonly PlannedOutcome[]): Answer["hint"] {
  const hinted = outcomes.find(({ hint }) => hint !== undefined);
  return hinted && { environment: hinted.after.environment, hint: hinted.hint };
}
