/** Patches a feature's variants environment by environment, without a transaction. */
import type { Caller } from "../access/caller.ts";
import type { Detail } from "../contract/error-body.ts";
import { type ApiError, ConflictError, PreconditionFailed, toApiError } from "../contract/errors.ts";
import type { Permission } from "../contract/permissions.ts";
import type { EnvironmentState } from "./feature.ts";
import { type EnvironmentPatch, type PatchedEnvironment, patchEnvironment } from "./patch-environment.ts";
import {
  preconditionFailed,
  readEnvironments,
  refuseReusedIdempotencyKey,
  requireMatch,
  requirePermissionInEach,
} from "./preconditions.ts";
import type { VariantReader, VariantStore } from "./stores.ts";
import { type Clock, createTurns } from "./turns.ts";

export interface FeaturePatch extends EnvironmentPatch {
  caller: Caller;
  /** Needed in each environment. */
  permission: Permission;
}

interface Done {
  environment: string;
  outcome: NonNullable<Detail["outcome"]>;
}

/** The first failure stops it: environments before it stay patched, those after it are untouched. */
export async function patchFeature(
  store: VariantStore,
  clock: Clock,
  request: FeaturePatch,
): Promise<PatchedEnvironment[]> {
  const environments = await readEnvironmentsToPatch(store, request);
  const { target, idempotency } = request;
  const turns = createTurns({ store, clock, target, idempotency });
  const done: PatchedEnvironment[] = [];
  for (const state of environments) {
    try {
      done.push(await patchEnvironment(store, turns, request, state));
    } catch (error) {
      // What an earlier attempt has patched was not written by this one.
      const isUntouched = done.every(
        ({ outcome }, index) => outcome === "unchanged" || environments[index]?.earlierWrite,
      );
      if (error instanceof PreconditionFailed && isUntouched) {
        throw preconditionFailed(await readEnvironments(store, target, idempotency));
      }
      throw stoppedAt(state.environment, error, done, environments);
    }
  }
  return done;
}

/** Reads the environments, and checks permissions, idempotency key and If-Match before anything is written. */
export async function readEnvironmentsToPatch(
  store: VariantReader,
  { target, caller, permission, precondition, idempotency }: FeaturePatch,
): Promise<readonly EnvironmentState[]> {
  const environments = await readEnvironments(store, target, idempotency);
  requirePermissionInEach(caller, permission, target.project, environments);
  refuseReusedIdempotencyKey(environments, idempotency);
  requireMatch(environments, precondition);
  return environments;
}

/** The same kind of error, with the environment that it stopped at and the outcome of each. */
export function stoppedAt(
  environment: string,
  error: unknown,
  done: readonly Done[],
  environments: readonly EnvironmentState[],
): ApiError {
  // A 412 says that nothing was written; once environments are patched, a failed precondition is a conflict.
  const cause = error instanceof PreconditionFailed ? new ConflictError(error.message) : toApiError(error);
  const details: Detail[] = [
    ...done.map(({ environment, outcome }) => ({ environment, outcome })),
    { environment, outcome: "failed", message: cause.message },
    ...environments
      .slice(done.length + 1)
      .map(({ environment }) => ({ environment, outcome: "not attempted" as const })),
  ];
  return cause.withContext(`environment "${environment}": ${cause.message}`, details);
}
