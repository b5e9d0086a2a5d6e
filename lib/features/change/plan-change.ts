/** Plans what a request does in each environment. Reads and writes nothing. */
import { ConflictError, toApiError } from "../../contract/errors.ts";
import { planUndo, requireChange } from "../history/plan-undo.ts";
import {
  type Change,
  type ChangeRequest,
  contentOf,
  type Edit,
  type EnvironmentState,
  type Found,
  type Plan,
} from "../model.ts";
import { describeMoves, formatPercent, type Moves, movedShare, movesBetween } from "../moves/moves.ts";
import { planPatch, unseenHint } from "../patch/plan-patch.ts";
import { aspectsTouched, nextState } from "./next-state.ts";
import { endedAs, failedWith, type PlannedOutcome } from "./outcome.ts";
import { requirePreconditions } from "./preconditions.ts";
import { requireSuccess } from "./report.ts";

/**
 * Gives a retry the time and the guard of the first attempt, so that its changes expire at the same time in all
 * environments.
 */
export function asInFirstAttempt(request: ChangeRequest, { at, guard }: Change): ChangeRequest {
  const { guard: _, ...stamp } = request.stamp;
  return { ...request, stamp: { ...stamp, at, ...(guard && { guard }) } };
}

/** Plans the environments after the first failure too. Throws what refuses the request as a whole. */
export function planEnvironments(request: ChangeRequest, found: readonly Found[]): PlannedOutcome[] {
  if (request.edit.kind === "undo") requireChange(request.edit, found);
  const { ifMatch, ifNoneMatch } = request.preconditions;
  if (ifMatch !== undefined || ifNoneMatch !== undefined) requirePreconditions(request, found);
  const plan = planningOnce(request.edit);
  const outcomes = found.map((one) => planEnvironment(request, one, plan));
  if (request.strict) requireSuccess(outcomes.map(asNotAttempted), request.stamp);
  return outcomes;
}

/** Not attempted, unless it failed or has the change: a strict request that would fail anywhere writes nowhere. */
function asNotAttempted(outcome: PlannedOutcome): PlannedOutcome {
  const isSettled = outcome.kind === "failed" || outcome.kind === "already there";
  return isSettled ? outcome : endedAs(outcome.before, "not attempted");
}

/** A 4xx becomes a failed outcome; a 5xx is thrown. */
export function planEnvironment(
  request: ChangeRequest,
  found: Found,
  planEdit = plannerOf(request.edit),
): PlannedOutcome {
  const { state, ownChange } = found;
  if (ownChange) return endedAs(state, "already there", { moves: movesMade(ownChange, state, request) });
  try {
    const plan = planEdit(found);
    const { hint } = plan;
    const touched = aspectsTouched(state, plan);
    if (touched.length === 0) {
      const unguarded = request.stamp.guard && "Nothing changes here, so nothing is under the guard";
      return endedAs(state, "unchanged", { hint: withReason(unguarded, hint), moves: [] });
    }
    const moves = movesBetween(request.target.feature, state, plan);
    requireFewMoves(moves, request);
    return {
      kind: "pending",
      before: state,
      after: nextState(state, plan, request.stamp),
      moves,
      hint: withReason(unseenHint(touched, plan), hint),
    };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status >= 500) throw error;
    return failedWith(state, error);
  }
}

/** Undefined where others have changed the environment since. */
function movesMade(change: Change, state: EnvironmentState, { target }: ChangeRequest): Moves | undefined {
  if (change.revision !== state.revision) return undefined;
  return movesBetween(target.feature, { ...state, ...change.old }, state);
}

/** Runs again after a conflict: more users may move then than in the state that was read first. */
function requireFewMoves(moves: Moves, { mostMoves }: ChangeRequest): void {
  if (mostMoves === undefined) return;
  const share = movedShare(moves);
  if (share !== null && share <= mostMoves) return;
  const moved =
    share === null
      ? "It cannot be computed how many users move"
      : `${formatPercent(share)} of the users move`;
  throw new ConflictError(
    `${moved}, and Burgee-Most-Moves allows ${formatPercent(mostMoves)}: ${describeMoves(moves)}`,
  );
}

/** Begins the hint with the reason why SDKs will not see the change, if there is one. */
function withReason(reason: string | undefined, hint: string | undefined): string | undefined {
  const hints = [reason, hint].filter((one) => one !== undefined);
  return hints.length > 0 ? hints.join(". ") : undefined;
}

/** Plans an edit in one environment, without side effects: it runs again after a conflict. */
type PlanEdit = (found: Found) => Plan;

function plannerOf(edit: Edit): PlanEdit {
  switch (edit.kind) {
    case "patch":
      return ({ state }) => planPatch(edit, state);
    case "switch":
      return ({ state }) => ({ ...contentOf(state), enabled: edit.enabled });
    case "undo":
      return (found) => planUndo(found, edit);
  }
}

/** A patch may take long, also to be refused: environments that have the same are planned once. */
function planningOnce(edit: Edit): PlanEdit {
  const plan = plannerOf(edit);
  if (edit.kind !== "patch") return plan;
  const known = new Map<string, () => Plan>();
  return (found) => {
    const content = JSON.stringify(contentOf(found.state));
    const result = known.get(content) ?? repeating(() => plan(found));
    known.set(content, result);
    return result();
  };
}

/** Runs once: what it returned or threw, it returns or throws each time. */
function repeating<Result>(run: () => Result): () => Result {
  try {
    const result = run();
    return () => result;
  } catch (thrown) {
    return () => {
      throw thrown;
    };
  }
}
