/** Reads the environments of a request for variants, and checks it against them. A failed check throws its error. */

import type { Permission } from "../access/permissions.ts";
import { type Caller, isAllowed, missingPermission } from "../access/permissions.ts";
import { ConflictError, NotFoundError, PreconditionFailed } from "../contract/errors.ts";
import type { Detail } from "../contract/responses.ts";
import {
  combinedEtag,
  environmentEtag,
  featureEtag,
  fingerprint,
  matches,
  type Precondition,
} from "./etag.ts";
import type { EnvironmentState, IdempotentRequest, Target } from "./feature.ts";
import type { VariantReader } from "./stores.ts";

const idempotencyBytes = 8;

/** Scoped to the caller's name: two callers who choose the same key do not affect each other. */
export function idempotentRequest(
  key: string | undefined,
  caller: Caller,
  request: unknown,
): IdempotentRequest | undefined {
  if (key === undefined) return undefined;
  return {
    key: fingerprint([caller.name, key], idempotencyBytes),
    change: fingerprint([caller.name, key, request], idempotencyBytes),
  };
}

/** The environments to read or to patch, with the earlier writes of a retried request. */
export async function readEnvironments(
  store: VariantReader,
  target: Target,
  idempotency?: IdempotentRequest,
): Promise<readonly EnvironmentState[]> {
  const { project, feature: name, environment } = target;
  const feature = await store.readFeature(target, idempotency);
  if (feature?.project !== project) throw new NotFoundError(`Project "${project}" has no feature "${name}"`);
  if (environment !== undefined && feature.environments.length === 0) {
    throw new NotFoundError(`Feature "${name}" has no environment "${environment}"`);
  }
  return feature.environments;
}

/** In every environment, before anything is written in any. */
export function requirePermissionInEach(
  caller: Caller,
  permission: Permission,
  project: string,
  environments: readonly EnvironmentState[],
): void {
  const refused = environments.filter(
    ({ environment }) => !isAllowed(caller, permission, { project, environment }),
  );
  const errors = refused.map(({ environment }) => missingPermission(permission, { project, environment }));
  const [first] = errors;
  if (!first) return;
  const details = errors.map(({ message }) => ({ message }));
  throw first.withContext({ details });
}

/** Refuses an idempotency key that another request has used, and a retry of a request that was undone. */
export function refuseEarlierUse(
  environments: readonly EnvironmentState[],
  idempotency: IdempotentRequest | undefined,
): void {
  for (const { environment, earlierWrite } of environments) {
    if (earlierWrite && earlierWrite.change !== idempotency?.change) {
      throw new ConflictError(
        "This Idempotency-Key was already used with a different body, path or `by`; use a new key for a new request",
      );
    }
    if (earlierWrite?.undone !== undefined) {
      throw new ConflictError(
        `This request was undone in environment "${environment}" by the change ${earlierWrite.undone}; use a new Idempotency-Key to make it again`,
      );
    }
  }
}

/**
 * On a retry, If-Match may have the ETag of the state before this request's own writes, or that of the state after them.
 */
export function requireMatch(
  environments: readonly EnvironmentState[],
  precondition: Precondition | undefined,
): void {
  if (precondition === undefined) return;
  const before = environments.map((state) => {
    const { uid, earlierWrite } = state;
    const revision = earlierWrite ? earlierWrite.revision - 1 : state.revision;
    return { ...state, etag: environmentEtag({ uid, revision }) };
  });
  const etags = [combinedEtag(before), featureEtag(environments)];
  if (etags.some((etag) => matches(precondition, etag))) return;
  throw preconditionFailed(environments);
}

/** Lists the outcome of each environment if an earlier attempt of the request has patched any. */
export function preconditionFailed(environments: readonly EnvironmentState[]): PreconditionFailed {
  const headers = { etag: `"${featureEtag(environments)}"` };
  const changed = "The variants have changed since the ETag of If-Match was read";
  if (!environments.some(({ earlierWrite }) => earlierWrite)) {
    return new PreconditionFailed(`${changed}; nothing was written`, { headers });
  }
  const details = environments.map(notReached);
  const message = `${changed}; an earlier attempt of this request has patched some environments`;
  return new PreconditionFailed(message, { headers, details });
}

/** What is reported of an environment that this attempt has not come to: an earlier one may have patched it. */
export function notReached({ environment, earlierWrite }: EnvironmentState): Detail {
  return { environment, outcome: earlierWrite ? "patched" : "not attempted" };
}
