/** Plans what a request does in each environment: the outcome is pending where it is to write. Reads and writes nothing. */
import { ApiError, ConflictError, PreconditionFailed, toApiError } from "../../contract/errors.ts";
import { etagOfEnvironments, preconditionFailed, preconditionIssue } from "../etags.ts";
import { planUndo, requireChangeToUndo } from "../history/plan-undo.ts";
import {
  type ChangeRequest,
  contentOf,
  differingAspects,
  type Edit,
  type EnvironmentChange,
  type EnvironmentState,
  type EnvironmentWithChanges,
  type Plan,
  type Target,
} from "../model.ts";
import type { Moves } from "../moves/move-types.ts";
import { movedShare, movesIssue, roundShare } from "../moves/moved-share.ts";
import { movesBetween } from "../moves/moves.ts";
import { planPatch, planStrategy } from "../patch/plan-patch.ts";
import { hintOf } from "./hints.ts";
import { nextState } from "./next-state.ts";
import { failedOutcome, type Outcome, outcomeAsFound } from "./outcome.ts";
import { toReportedOutcome } from "./report.ts";

/**
 * Plans the outcome of each environment, also after the first failure. Throws what refuses the request as a whole, such as
 * its preconditions.
 */
export function planRequest(
  request: ChangeRequest,
  environments: readonly EnvironmentWithChanges[],
): Outcome[] {
  if (request.edit.kind === "undo") requireChangeToUndo(request.edit, environments);
  const { ifMatch, ifNoneMatch } = request.preconditions;
  if (ifMatch ?? ifNoneMatch) requirePreconditionsOfChange(request, environments);
  const planner = createPlanner(request);
  return environments.map((environment) => planEnvironment(request, environment, planner));
}

/**
 * Plans the outcome of one environment. Returns a 4xx as a failed outcome, and throws a 5xx. Does not compare the
 * preconditions, so that it can plan again after a conflict.
 */
export function planEnvironment(
  request: ChangeRequest,
  environment: EnvironmentWithChanges,
  planner = createPlanner(request),
): Outcome {
  const { stamp, mostMoves } = request;
  const { state, ownChange } = environment;
  if (ownChange) {
    const moves = movesOfOwnChange(ownChange, state, request);
    return outcomeAsFound(state, "already written", { moves });
  }
  const planOrError = planner(environment);
  if (planOrError instanceof ApiError) return failedOutcome(state, planOrError);
  const { plan, moves } = planOrError;
  const changedAspects = differingAspects(state, plan);
  const hint = hintOf(plan, changedAspects, stamp);
  if (changedAspects.length === 0) return outcomeAsFound(state, "unchanged", { hint, moves });
  // Checked in each plan: after a conflict, more users may move than by the plan of the state that was read first.
  const issue = mostMoves === undefined ? undefined : movesIssue(moves, mostMoves);
  if (issue !== undefined) return failedOutcome(state, tooManyMoves(issue, moves));
  return { kind: "pending", before: state, after: nextState(state, plan, stamp), moves, hint };
}

function tooManyMoves(issue: string, moves: Moves): ConflictError {
  const share = movedShare(moves);
  return new ConflictError(issue, {
    code: "too-many-moves",
    log: { movedShare: share && roundShare(share) },
  });
}

/** On a retry, If-Match may have either the ETag before the request's own writes or the current one. */
function requirePreconditionsOfChange(
  { target, edit, preconditions }: ChangeRequest,
  environments: readonly EnvironmentWithChanges[],
): void {
  const states = environments.map(({ state }) => state);
  const before = environments.map(({ state, ownChange }) =>
    ownChange ? { ...state, revision: ownChange.revision - 1 } : state,
  );
  const etag = etagOfEnvironments(target, states);
  const etagBefore = etagOfEnvironments(target, before);
  const issue = preconditionIssue(preconditions, { etag, etagBefore, what: "feature" });
  if (issue === undefined) return;
  if (etag === etagBefore) throw preconditionFailed(issue, etag);
  const details = environments.map(({ state, ownChange }) =>
    toReportedOutcome(outcomeAsFound(state, ownChange ? "already written" : "not attempted")),
  );
  const message = `${issue}; an earlier attempt of this request has ${verbOf[edit.kind]} some environments`;
  throw new PreconditionFailed(message, { etag, details });
}

const verbOf = { patch: "patched", strategy: "patched", switch: "switched", undo: "restored" } as const;

/** Returns undefined if a later change replaced the state that the change left: its moves are not known any more. */
export function movesOfOwnChange(
  change: EnvironmentChange,
  state: EnvironmentState,
  { target }: ChangeRequest,
): Moves | undefined {
  if (change.revision !== state.revision) return undefined;
  return movesBetween(target.feature, { ...state, ...change.old }, state);
}

/** Returns what the edit leaves in an environment and who moves by that, or why it is refused there. */
type Planner = (environment: EnvironmentWithChanges) => PlanOrError;

type PlanOrError = { plan: Plan; moves: Moves } | ApiError;

/**
 * Applying or refusing a patch can be slow, and so can be finding who moves. So a request is planned once for all
 * environments with equal content. An undo is not, because it depends on their changes too.
 */
function createPlanner({ edit, target }: ChangeRequest): Planner {
  if (edit.kind === "undo") return (environment) => planOrRefuse(edit, target, environment);
  const known = new Map<string, PlanOrError>();
  return (environment) => {
    const contentText = JSON.stringify(contentOf(environment.state));
    const planOrError = known.get(contentText) ?? planOrRefuse(edit, target, environment);
    known.set(contentText, planOrError);
    return planOrError;
  };
}

function planOrRefuse(edit: Edit, { feature }: Target, environment: EnvironmentWithChanges): PlanOrError {
  try {
    const plan = planEdit(edit, environment);
    return { plan, moves: movesBetween(feature, environment.state, plan) };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status >= 500) throw error;
    return error;
  }
}

function planEdit(edit: Edit, environment: EnvironmentWithChanges): Plan {
  const { state } = environment;
  switch (edit.kind) {
    case "patch":
      return planPatch(edit, state);
    case "strategy":
      return planStrategy(edit, state);
    case "switch":
      return { ...contentOf(state), enabled: edit.enabled };
    case "undo":
      return planUndo(environment, edit.trippedGuardName);
  }
}
