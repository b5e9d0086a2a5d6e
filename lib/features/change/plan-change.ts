/** Plans what a request does in each environment. Reads and writes nothing. */
import { ApiError, ConflictError, toApiError } from "../../contract/errors.ts";
import { planUndo, requireChangeToUndo } from "../history/plan-undo.ts";
import {
  type ChangeRequest,
  changedAspects,
  contentOf,
  type Edit,
  type EnvironmentChange,
  type EnvironmentState,
  type Plan,
  type TargetEnvironment,
} from "../model.ts";
import { type Moves, movedShare, movesBetween, movesIssue, roundShare } from "../moves/moves.ts";
import { planPatch, planStrategy } from "../patch/plan-patch.ts";
import { joinHints, unseenHint } from "./hints.ts";
import { nextState } from "./next-state.ts";
import { endedAs, failedWith, type PlannedOutcome } from "./outcome.ts";
import { requirePreconditions } from "./preconditions.ts";

/** Plans the environments after the first failure too. Throws what refuses the request as a whole. */
export function planEnvironments(
  request: ChangeRequest,
  environments: readonly TargetEnvironment[],
): PlannedOutcome[] {
  if (request.edit.kind === "undo") requireChangeToUndo(request.edit, environments);
  const { ifMatch, ifNoneMatch } = request.preconditions;
  if (ifMatch !== undefined || ifNoneMatch !== undefined) requirePreconditions(request, environments);
  const plans: Plans = new Map();
  return environments.map((environment) => planEnvironment(request, environment, plans));
}

/** Returns a 4xx as a failed outcome, and throws a 5xx. */
export function planEnvironment(
  request: ChangeRequest,
  environment: TargetEnvironment,
  plans: Plans = new Map(),
): PlannedOutcome {
  const { state, ownChange } = environment;
  if (ownChange)
    return endedAs(state, "already patched", { moves: movesOfOwnChange(ownChange, state, request) });
  const plan = planOnce(request.edit, environment, plans);
  if (plan instanceof ApiError) return failedWith(state, plan);
  const changed = changedAspects(state, plan);
  if (changed.length === 0) {
    const guardHint = request.stamp.guard && "This environment does not change, so there is nothing to guard";
    return endedAs(state, "unchanged", { hint: joinHints(guardHint, plan.hint), moves: [] });
  }
  const moves = movesBetween(request.target.feature, state, plan);
  // Checked in each plan: after a conflict, more users may move than by the plan of the state that was read first.
  const issue = movesIssue(moves, request.mostMoves);
  if (issue !== undefined) {
    const share = movedShare(moves);
    const facts = { code: "too-many-moves", movedShare: share && roundShare(share) } as const;
    return failedWith(state, new ConflictError(issue, facts));
  }
  return {
    kind: "pending",
    before: state,
    after: nextState(state, plan, request.stamp),
    moves,
    hint: joinHints(unseenHint(changed, plan), plan.hint),
  };
}

/** Returns undefined if a later change replaced the state that the change left: its moves are not known any more. */
function movesOfOwnChange(
  change: EnvironmentChange,
  state: EnvironmentState,
  { target }: ChangeRequest,
): Moves | undefined {
  if (change.revision !== state.revision) return undefined;
  return movesBetween(target.feature, { ...state, ...change.old }, state);
}

/** The plan of a patch, or its refusal, by the content of the environment. */
type Plans = Map<string, Plan | ApiError>;

/** Applying or refusing a patch can be slow, so environments with equal content are planned once. */
function planOnce(edit: Edit, environment: TargetEnvironment, plans: Plans): Plan | ApiError {
  if (edit.kind !== "patch") return planOrRefusal(edit, environment);
  const content = JSON.stringify(contentOf(environment.state));
  const plan = plans.get(content) ?? planOrRefusal(edit, environment);
  plans.set(content, plan);
  return plan;
}

function planOrRefusal(edit: Edit, environment: TargetEnvironment): Plan | ApiError {
  try {
    return planEdit(edit, environment);
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status >= 500) throw error;
    return error;
  }
}

function planEdit(edit: Edit, environment: TargetEnvironment): Plan {
  const { state } = environment;
  switch (edit.kind) {
    case "patch":
      return planPatch(edit, state);
    case "strategy":
      return planStrategy(edit, state);
    case "switch":
      return { ...contentOf(state), enabled: edit.enabled };
    case "undo":
      return planUndo(environment, edit.trippedGuard);
  }
}
