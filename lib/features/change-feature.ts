/** Changes a feature's variants environment by environment, without a transaction; or shows what that would do. */
import type { Caller, MissingPermission } from "../access/permissions.ts";
import { type ApiError, ConflictError, PreconditionFailed, toApiError } from "../contract/errors.ts";
import type { Detail } from "../contract/responses.ts";
import type { VariantForm } from "../contract/variants.ts";
import { type Clock, createArrivalOrder } from "./arrival-order.ts";
import {
  changeEnvironment,
  type EnvironmentRequest,
  type Outcome,
  type Plan,
  planEnvironment,
  versionOf,
} from "./change-environment.ts";
import { earlierIn, findEarlier } from "./changes.ts";
import {
  missingPermissions,
  outcomeAsRead,
  readEnvironments,
  refuseEarlierUse,
  refuseUncertainRetry,
  requireMatch,
  requirePermissions,
  requireRoomForKey,
} from "./checks.ts";
import { etagOf } from "./etag.ts";
import type { EnvironmentState, States } from "./feature.ts";
import type { Stamp } from "./stamp.ts";
import type { VariantReader, VariantStore } from "./stores.ts";
import { variantChanges } from "./variant-diff.ts";
import { toDocument } from "./variant-list.ts";

export interface ChangeRequest extends EnvironmentRequest {
  /** Makes the plan, from the environments as they were first read. */
  planner(states: States): Plan;
  caller: Caller;
  /** Nothing is written if the request would fail in any environment as first read. */
  allOrNothing: boolean;
}

interface Preview {
  outcomes: Outcome[];
  /** What the caller lacks for the request itself. */
  missing: MissingPermission[];
  /** The current ETag. Sent as If-Match, it makes the request apply only to the state previewed here. */
  etag: string;
}

/**
 * Changes one environment after the other and stops at the first failure: environments before it stay changed, those
 * after it are untouched.
 */
export async function changeFeature(
  store: VariantStore,
  clock: Clock,
  request: ChangeRequest,
): Promise<Outcome[]> {
  const { caller, target, allOrNothing } = request;
  const states = await readEnvironments(store, target);
  const stamp = stampOfRetry(request.stamp, states);
  const outcomes: Outcome[] = [];
  try {
    requirePermissions(missingPermissions(caller, target, states), target);
    const plan = checkedPlan(request, states);
    // The others are reported as not attempted: nothing is written yet.
    const planned = allOrNothing ? preview(store, request, plan, states) : [];
    requireSuccess(planned.filter(hasFailed), states, stamp);
    const order = createArrivalOrder(clock, stamp);
    for (const state of states) {
      const changing = changeEnvironment(store, order, { ...request, stamp }, plan, state);
      outcomes.push(await changing.catch((thrown) => failedIn(state, toApiError(thrown))));
      if (outcomes.some(hasFailed)) break;
    }
    const isWritten = outcomes.some(
      ({ outcome }, index) => outcome === "patched" && !findEarlier(states[index]?.changes ?? [], stamp),
    );
    // Starts over, so that the 412 has the current ETag.
    const isStale = outcomes.some(({ error }) => error instanceof PreconditionFailed);
    if (isStale && !isWritten) return await changeFeature(store, clock, request);
    requireSuccess(outcomes, states, stamp);
    return outcomes;
  } catch (thrown) {
    throw withChange(toApiError(thrown), outcomes, states, stamp);
  }
}

/** Shows what the request would do in each environment, beyond the first failure; a strict one throws the error of the request. */
export async function previewFeature(
  reader: VariantReader,
  request: ChangeRequest,
  { strict }: { strict: boolean },
): Promise<Preview> {
  const { caller, target, stamp, allOrNothing } = request;
  const states = await readEnvironments(reader, target);
  const missing = missingPermissions(caller, target, states);
  if (strict) requirePermissions(missing, target);
  const outcomes = preview(reader, request, checkedPlan(request, states), states);
  const end = outcomes.findIndex(hasFailed) + 1;
  const reported = allOrNothing ? outcomes.filter(hasFailed) : outcomes.slice(0, end);
  if (strict) requireSuccess(reported, states, stamp);
  return { outcomes, missing, etag: etagOf(target, states) };
}

/** A retry has the time of the earlier attempt that it finds, and keeps its own beside it. */
function stampOfRetry(stamp: Stamp, states: States): Stamp {
  const earlier = earlierIn(states, stamp);
  return earlier ? { ...stamp, at: earlier.at, retriedAt: stamp.at } : stamp;
}

/** What can refuse the request as a whole, before anything is written in any environment. */
function checkedPlan({ planner, target, precondition, stamp }: ChangeRequest, states: States): Plan {
  refuseEarlierUse(states, stamp);
  refuseUncertainRetry(states, stamp);
  const plan = planner(states);
  requireRoomForKey(states, stamp);
  requireMatch(target, states, precondition, stamp);
  return plan;
}

/** The change of each environment without its write. An error that the caller did not cause is thrown, others are outcomes. */
function preview(
  reader: VariantReader,
  { target, stamp }: EnvironmentRequest,
  plan: Plan,
  states: States,
): Outcome[] {
  return states.map((state) => {
    try {
      const { after, ...outcome } = planEnvironment(state, plan, stamp);
      if (after) reader.requireRoomForVariants({ target, before: state, after, stamp });
      return outcome;
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.status >= 500) throw error;
      return failedIn(state, error);
    }
  });
}

function failedIn(state: EnvironmentState, error: ApiError): Outcome {
  const { variants } = state;
  return { ...versionOf(state), before: variants, variants, outcome: "failed", error };
}

function hasFailed({ error }: Outcome): boolean {
  return error !== undefined;
}

/** Throws the first error, with the environment that has failed and the outcome of each. */
function requireSuccess(outcomes: readonly Outcome[], states: States, stamp: Stamp): void {
  const { environment: failed, error } = outcomes.find(hasFailed) ?? {};
  if (!error) return;
  const details = states.map((state): Detail => {
    const found = outcomes.find(({ environment }) => environment === state.environment);
    if (!found) return outcomeAsRead(state, stamp);
    const { environment, outcome } = found;
    return { environment, outcome, ...(found.error && { message: found.error.message }) };
  });
  // A 412 means that this attempt has written nothing; after a write, a failed precondition is a conflict.
  const cause = error instanceof PreconditionFailed ? new ConflictError(error.message) : error;
  throw cause.withContext({ message: `environment "${failed}": ${cause.message}`, details });
}

/** Names the change in an error if some environment has it, or may have it. */
function withChange(error: ApiError, outcomes: readonly Outcome[], states: States, { id }: Stamp): ApiError {
  const isStored =
    outcomes.some(({ outcome }) => outcome === "patched") ||
    states.some(({ changes }) => changes.some((change) => change.id === id));
  return isStored || error.mayBeStored ? error.withContext({ change: id }) : error;
}

/** An outcome as the response to a dry run has it. */
export function toPreview(result: Outcome, form: VariantForm) {
  const { environment, outcome, before, variants, hint, error } = result;
  return {
    ...{ environment, outcome, variants: toDocument(variants, form) },
    ...(error ? { message: error.message } : { changes: variantChanges(before, variants, form) }),
    ...(hint !== undefined && { hint }),
  };
}
