/** Plans what a request does in each environment. Reads and writes nothing. */
import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../access/permissions.ts";
import { toApiError } from "../contract/errors.ts";
import type { Preconditions } from "../contract/etags.ts";
import { nextState } from "./changes.ts";
import type { Found, Plan, Target } from "./feature.ts";
import { asRefused, endedAs, failedWith, type Outcome, requireSuccess } from "./outcome.ts";
import { requireChange } from "./plan-undo.ts";
import { requirePreconditions } from "./preconditions.ts";
import type { Stamp } from "./stamp.ts";
import { requireRoom } from "./variant-list.ts";

export interface ChangeRequest {
  target: Target;
  caller: Caller;
  stamp: Stamp;
  /** Has no side effects: it runs again after a conflict. */
  plan: (found: Found) => Plan;
  undoesId?: string | undefined;
  preconditions: Preconditions;
  /** Nothing is written if any environment, as first read, would fail; a dry run then has its error. */
  strict: boolean;
}

/** A retry has the first attempt's time, so that its changes expire together in all environments. */
export function withFirstTime(request: ChangeRequest, found: readonly Found[]): ChangeRequest {
  const [made] = found.flatMap(({ ownChange }) => ownChange ?? []);
  return made ? { ...request, stamp: { ...request.stamp, at: made.at } } : request;
}

/** Plans the environments after the first failure too. Throws what refuses the request as a whole. */
export function planChange(request: ChangeRequest, found: readonly Found[]): Outcome[] {
  if (request.undoesId !== undefined) requireChange(request.undoesId, found);
  requirePreconditions(request, found);
  const outcomes = found.map((one) => planOrFail(request, one));
  if (request.strict) requireSuccess(outcomes.map(asRefused));
  return outcomes;
}

/** Throws errors of the service; those of the caller are outcomes. */
function planOrFail(request: ChangeRequest, found: Found): Outcome {
  try {
    return planEnvironment(request, found);
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status >= 500) throw error;
    return failedWith(found.state, error);
  }
}

export function planEnvironment(request: ChangeRequest, found: Found): Outcome {
  const { state, ownChange } = found;
  if (ownChange) return endedAs(state, "already there");
  const plan = request.plan(found);
  const { variants, hint } = plan;
  if (isDeepStrictEqual(variants, state.variants)) return endedAs(state, "unchanged", hint);
  requireRoom(variants);
  return { kind: "pending", before: state, after: nextState(state, plan, request.stamp), hint };
}
