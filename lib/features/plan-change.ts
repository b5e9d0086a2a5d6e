/** Plans what a request does in each environment. Reads and writes nothing. */
import { toApiError } from "../contract/errors.ts";
import { aspectsTouched, nextState } from "./changes.ts";
import type { Aspect, ChangeRequest, Edit, EnvironmentState, Found, Plan } from "./model.ts";
import { endedAs, failedWith, type PlannedOutcome, requireSuccess } from "./outcome.ts";
import { planPatch } from "./plan-patch.ts";
import { planUndo, requireChange } from "./plan-undo.ts";
import { requirePreconditions } from "./preconditions.ts";
import { requireRoom } from "./variant-list.ts";

/** Gives a retry the time of the first attempt, so that its changes stop being usable at one moment in all environments. */
export function withTimeOfFirstAttempt(request: ChangeRequest, found: readonly Found[]): ChangeRequest {
  const [made] = found.flatMap(({ ownChange }) => ownChange ?? []);
  return made ? { ...request, stamp: { ...request.stamp, at: made.at } } : request;
}

/** Plans the environments after the first failure too. Throws what refuses the request as a whole. */
export function planEnvironments(request: ChangeRequest, found: readonly Found[]): PlannedOutcome[] {
  if (request.edit.kind === "undo") requireChange(request.edit, found);
  requirePreconditions(request, found);
  const outcomes = found.map((one) => planEnvironment(request, one));
  if (request.strict) requireSuccess(outcomes.map(asNotAttempted));
  return outcomes;
}

/** Reports a writable environment as not attempted: a strict request that would fail anywhere writes nowhere. */
function asNotAttempted(outcome: PlannedOutcome): PlannedOutcome {
  const isOver = outcome.kind === "failed" || outcome.kind === "already there";
  return isOver ? outcome : endedAs(outcome.before, "not attempted");
}

/** A 4xx becomes a failed outcome; a 5xx is thrown. */
export function planEnvironment(request: ChangeRequest, found: Found): PlannedOutcome {
  const { state, ownChange } = found;
  if (ownChange) return endedAs(state, "already there");
  try {
    const plan = planEdit(request.edit, found);
    const { variants, hint } = plan;
    const touched = aspectsTouched(state, plan);
    if (touched.length === 0) return endedAs(state, "unchanged", hint);
    requireRoom(variants);
    return {
      kind: "pending",
      before: state,
      after: nextState(state, plan, request.stamp),
      hint: withUnseen(hint, touched, state),
    };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status >= 500) throw error;
    return failedWith(state, error);
  }
}

/** Puts what SDKs will not see of the change before other hints. */
function withUnseen(
  hint: string | undefined,
  touched: readonly Aspect[],
  { unseen = {} }: EnvironmentState,
): string | undefined {
  const hints = [...touched.map((aspect) => unseen[aspect]), hint].filter((one) => one !== undefined);
  return hints.length > 0 ? hints.join(". ") : undefined;
}

/** Has no side effects, as it runs again after a conflict. */
function planEdit(edit: Edit, found: Found): Plan {
  const { enabled, variants } = found.state;
  switch (edit.kind) {
    case "patch":
      return { enabled, ...planPatch(edit, variants) };
    case "switch":
      return { enabled: edit.enabled, variants };
    case "undo":
      return planUndo(found);
  }
}
