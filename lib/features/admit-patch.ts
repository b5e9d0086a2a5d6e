/** What must hold before any environment is patched. */
import { type Caller, may, missingPermission } from "../access/caller.ts";
import { PreconditionFailed } from "../contract/errors.ts";
import { entityTag, environmentTag, isMet, type Precondition, statesTag } from "./entity-tag.ts";
import type { EnvironmentState, Feature, RequestKey, Target } from "./feature.ts";
import { earlierWrite } from "./keyed-write.ts";
import { requireEnvironments } from "./require-environments.ts";

export interface Admission {
  target: Target;
  caller: Caller;
  precondition?: Precondition | undefined;
  keyed?: RequestKey | undefined;
}

/** The environments to patch. */
export function admitPatch(stored: Feature | undefined, admission: Admission): readonly EnvironmentState[] {
  const environments = requireEnvironments(stored, admission.target);
  requirePermission(environments, admission);
  requirePrecondition(environments, admission);
  return environments;
}

export function unmet(environments: readonly EnvironmentState[]): PreconditionFailed {
  return new PreconditionFailed("the variants are not those of if-match any more; nothing was written", {
    headers: { etag: `"${statesTag(environments)}"` },
  });
}

/** Every environment is judged before anything is written. */
function requirePermission(
  environments: readonly EnvironmentState[],
  { caller, target: { project } }: Admission,
): void {
  const permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";
  const refused = environments.filter(
    ({ environment }) => !may(caller, permission, { project, environment }),
  );
  const errors = refused.map(({ environment }) => missingPermission(permission, { project, environment }));
  const details = errors.map(({ message }) => ({ message }));
  if (errors[0]) throw errors[0].restated(errors[0].message, details);
}

/**
 * A repeated request is held to what stood before its own writes: it was let in then, and comes to finish. One that
 * knows what they left may go on from there.
 */
function requirePrecondition(
  environments: readonly EnvironmentState[],
  { precondition, keyed }: Admission,
): void {
  const before = environments.map((state) => ({
    environment: state.environment,
    tag: earlierWrite(state, keyed)?.before ?? environmentTag(state),
  }));
  if (precondition === undefined) return;
  if (isMet(precondition, entityTag(before)) || isMet(precondition, statesTag(environments))) return;
  throw unmet(environments);
}
