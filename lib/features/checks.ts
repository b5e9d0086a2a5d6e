/** Checks a request for variants against the environments as they are read. A failed check throws its error. */
import {
  type Caller,
  isAllowed,
  type MissingPermission,
  noAccess,
  type Permission,
} from "../access/permissions.ts";
import { ConflictError, NotFoundError, PreconditionFailed } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Detail } from "../contract/responses.ts";
import {
  earlierIn,
  findEarlier,
  isRetryable,
  keyMs,
  mayHaveDropped,
  shortened,
  undoneBy,
} from "./changes.ts";
import { etagOf, isOfTarget, matches, type Precondition, whyUnmet } from "./etag.ts";
import type { EnvironmentState, States, Target } from "./feature.ts";
import type { Stamp } from "./stamp.ts";
import type { VariantReader } from "./stores.ts";

export async function readEnvironments(store: VariantReader, target: Target): Promise<States> {
  const { project, feature, environment } = target;
  const found = await store.readEnvironments(target);
  if (!found) throw new NotFoundError(`Project "${project}" has no feature "${feature}"`);
  if (environment !== undefined && found.length === 0) {
    throw new NotFoundError(`Feature "${feature}" has no environment "${environment}"`);
  }
  return found;
}

/** Needed in each environment of a request that changes variants. */
export const environmentPermission: Permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";

/** Needed in the project as well, by a request for every environment. */
export const featurePermission: Permission = "UPDATE_FEATURE_VARIANTS";

export function missingPermissions(
  caller: Caller,
  { project, environment: only }: Target,
  states: States,
): MissingPermission[] {
  const needed: MissingPermission[] = [
    ...(only === undefined ? [{ permission: featurePermission }] : []),
    ...states.map(({ environment }) => ({ permission: environmentPermission, environment })),
  ];
  return needed.filter(
    ({ permission, environment }) => !isAllowed(caller, permission, { project, environment }),
  );
}

/** Throws before any environment is written, and names every missing permission. */
export function requirePermissions(missing: readonly MissingPermission[], { project }: Target): void {
  const errors = missing.map(({ permission, environment }) => noAccess(permission, { project, environment }));
  if (errors[0]) throw errors[0].withContext({ details: errors.map(({ message }) => ({ message })) });
}

/** Refuses an idempotency key that another request has used, and a retry of a request that was undone. */
export function refuseEarlierUse(states: States, stamp: Stamp): void {
  for (const { environment, changes } of states) {
    const earlier = findEarlier(changes, stamp);
    if (earlier && earlier.id !== stamp.id) {
      throw new ConflictError(
        "This Idempotency-Key was already used with a different body, path or `by`; use a new key for a new request",
      );
    }
    const undo = earlier && undoneBy(changes, earlier);
    if (undo !== undefined) {
      throw new ConflictError(
        `This request was undone in environment "${environment}" by the change ${undo}; send it as a new request to make it again`,
        { mayBeStored: true },
      );
    }
  }
}

/** Refuses a retry where an environment may have forgotten that the request has changed it. */
export function refuseUncertainRetry(states: States, stamp: Stamp): void {
  const earlier = earlierIn(states, stamp);
  if (!earlier) return;
  // Before, no environment has dropped it: each keeps it from its own write on, and overlapping attempts began about then.
  if (Date.now() < Date.parse(earlier.at) + keyMs - limits.attemptSeconds * 1000) return;
  const forgetful = states.find(
    (state) => !findEarlier(state.changes, stamp) && mayHaveDropped(state, earlier.at),
  );
  if (!forgetful) return;
  throw new ConflictError(
    `It is not known whether this request has changed environment "${forgetful.environment}": its first attempt is more than ${limits.idempotencyHours} hours old; read the variants, and send a new request`,
    { details: states.map((state) => outcomeAsRead(state, stamp)) },
  );
}

/** Refuses a new request with an idempotency key where no more of them can be remembered. */
export function requireRoomForKey(states: States, stamp: Stamp): void {
  if (stamp.key === undefined || earlierIn(states, stamp)) return;
  for (const { environment, changes } of states) {
    const remembered = changes.filter(isRetryable);
    const own = remembered.filter(({ by }) => shortened(by) === shortened(stamp.by));
    const isFullForCaller = own.length >= limits.keysPerCaller;
    if (!isFullForCaller && remembered.length < limits.keys) continue;
    const what = isFullForCaller
      ? `${limits.keysPerCaller} requests of this API key's name`
      : `${limits.keys} requests`;
    throw new ConflictError(
      `Environment "${environment}" remembers ${what} with an Idempotency-Key, the maximum; each is kept for ${limits.idempotencyHours} hours. Nothing was written: wait, or send the request without an Idempotency-Key`,
    );
  }
}

/**
 * On a retry, If-Match may have the ETag of the state before this request's own writes, or that of the state after them.
 */
export function requireMatch(
  target: Target,
  states: States,
  precondition: Precondition | undefined,
  stamp: Stamp,
): void {
  if (precondition === undefined) return;
  const before = states.map((state) => {
    const earlier = findEarlier(state.changes, stamp);
    return { ...state, revision: earlier ? earlier.revision - 1 : state.revision };
  });
  const etag = etagOf(target, states);
  if (matches(precondition, etag) || matches(precondition, etagOf(target, before))) return;
  const reason = whyUnmet(precondition, "variants", (one) => isOfTarget(one, target));
  if (!earlierIn(states, stamp)) {
    throw new PreconditionFailed(`${reason}; nothing was written`, { etag });
  }
  const details = states.map((state) => outcomeAsRead(state, stamp));
  const message = `${reason}; an earlier attempt of this request has patched some environments`;
  throw new PreconditionFailed(message, { etag, details });
}

/** The outcome of an environment that this attempt has not reached: `patched` if an earlier attempt patched it. */
export function outcomeAsRead({ environment, changes }: EnvironmentState, stamp: Stamp): Detail {
  return { environment, outcome: findEarlier(changes, stamp) ? "patched" : "not attempted" };
}
