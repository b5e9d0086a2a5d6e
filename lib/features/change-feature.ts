/** Changes a feature's variants environment by environment, without a transaction. */
import type { Caller, Permission } from "../access/permissions.ts";
import { type ApiError, ConflictError, PreconditionFailed, toApiError } from "../contract/errors.ts";
import type { Detail } from "../contract/responses.ts";
import type { VariantForm } from "../contract/variants.ts";
import {
  type ChangedEnvironment,
  changeEnvironment,
  type EnvironmentChange,
  type Plan,
  planIn,
} from "./change-environment.ts";
import type { EnvironmentState } from "./feature.ts";
import {
  notReached,
  preconditionFailed,
  readEnvironments,
  refuseEarlierUse,
  requireMatch,
  requirePermissionInEach,
} from "./preconditions.ts";
import type { VariantReader, VariantStore } from "./stores.ts";
import { type Clock, createTurns } from "./turns.ts";

/** Plans a request, from the environments as they were first read. */
export type Planner = (states: readonly EnvironmentState[]) => FeaturePlan;

export interface FeaturePlan {
  plan: Plan;
  /** The environments in which the request needs the permission, whether or not it changes them. */
  permissionNeededIn: readonly EnvironmentState[];
  /** Whether nothing is written if the plan fails in any environment as first read. */
  plansAllFirst: boolean;
}

export interface ChangeRequest extends Omit<EnvironmentChange, "plan" | "changedAt"> {
  planner: Planner;
  form: VariantForm;
  caller: Caller;
  /** Needed in each environment of `permissionNeededIn`. */
  permission: Permission;
}

interface EnvironmentOutcome {
  environment: string;
  outcome: NonNullable<Detail["outcome"]>;
}

/**
 * Changes one environment after the other and stops at the first failure: environments before it stay changed, those
 * after it are untouched.
 */
export async function changeFeature(
  store: VariantStore,
  clock: Clock,
  request: ChangeRequest,
): Promise<ChangedEnvironment[]> {
  const { target, idempotency, stamp } = request;
  const states = await readEnvironments(store, target, idempotency);
  const done: ChangedEnvironment[] = [];
  try {
    const { plan, plansAllFirst } = planRequest(request, states);
    if (plansAllFirst) requirePlanInEach(plan, states);
    const turns = createTurns({ store, clock, target, idempotency });
    let changedAt = states.find(({ earlierWrite }) => earlierWrite)?.earlierWrite?.at;
    for (const state of states) {
      const changed = await changeEnvironment(store, turns, { ...request, plan, changedAt }, state).catch(
        async (error) => {
          throw await failureAfter(done, store, request, error, states);
        },
      );
      done.push(changed);
      changedAt ??= changed.changedAt;
    }
    return done;
  } catch (error) {
    const isStored =
      done.some(({ outcome }) => outcome === "patched") ||
      states.some(({ earlierWrite }) => earlierWrite?.change === stamp.id);
    const { mayBeStored } = toApiError(error);
    throw isStored || mayBeStored ? toApiError(error).withContext({ headers: changeHeader(stamp) }) : error;
  }
}

export function changeHeader({ id }: { id: string }): Readonly<Record<string, string>> {
  return { "burgee-change": id };
}

/** Plans the request, and checks permissions, idempotency key and If-Match, before anything is written. */
export function planRequest(
  { target, planner, caller, permission, precondition, idempotency }: ChangeRequest,
  states: readonly EnvironmentState[],
): FeaturePlan {
  const planned = planner(states);
  requirePermissionInEach(caller, permission, target.project, planned.permissionNeededIn);
  refuseEarlierUse(states, idempotency);
  requireMatch(states, precondition);
  return planned;
}

/** Throws the first error of the plans, with the outcome of each environment. */
export function requirePlanInEach(plan: Plan, states: readonly EnvironmentState[]): void {
  const errors = new Map<string, ApiError>();
  for (const state of states) {
    try {
      planIn(state, plan);
    } catch (error) {
      errors.set(state.environment, toApiError(error));
    }
  }
  const [first] = errors;
  if (!first) return;
  const [failed, error] = first;
  const details = states.map((state): Detail => {
    const { environment } = state;
    const message = errors.get(environment)?.message;
    return message === undefined ? notReached(state) : { environment, outcome: "failed", message };
  });
  throw error.withContext({ message: `environment "${failed}": ${error.message}`, details });
}

async function failureAfter(
  done: readonly EnvironmentOutcome[],
  store: VariantReader,
  { target, idempotency }: ChangeRequest,
  error: unknown,
  states: readonly EnvironmentState[],
): Promise<ApiError> {
  // An environment that an earlier attempt has patched does not count as written by this one.
  const isUntouched = done.every(
    ({ outcome }, index) => outcome === "unchanged" || states[index]?.earlierWrite,
  );
  if (error instanceof PreconditionFailed && isUntouched) {
    return preconditionFailed(await readEnvironments(store, target, idempotency));
  }
  return stoppedAt(error, done, states);
}

/** The same kind of error, with the environment that it stopped at and the outcome of each. */
export function stoppedAt(
  error: unknown,
  done: readonly EnvironmentOutcome[],
  states: readonly EnvironmentState[],
): ApiError {
  const { environment = "" } = states[done.length] ?? {};
  // A 412 means that this attempt has written nothing; after a write, a failed precondition is a conflict.
  const cause = error instanceof PreconditionFailed ? new ConflictError(error.message) : toApiError(error);
  const details: Detail[] = [
    ...done.map(({ environment, outcome }) => ({ environment, outcome })),
    { environment, outcome: "failed", message: cause.message },
    ...states.slice(done.length + 1).map(notReached),
  ];
  return cause.withContext({ message: `environment "${environment}": ${cause.message}`, details });
}
