/** A patch applied to a feature's variants environment by environment, with no transaction over them. */
import { type Caller, may, missingPermission } from "../access/caller.ts";
import type { Detail } from "../contract/error-body.ts";
import { ApiError, InternalError, NotFoundError } from "../contract/errors.ts";
import type { EnvironmentState, Feature } from "./feature-store.ts";
import { type Patched, type Patching, patchEnvironment } from "./patch-environment.ts";

interface FeaturePatch extends Patching {
  project: string;
  caller: Caller;
}

/** The first failure stops it: environments before it stay patched, those after it are untouched. */
export async function patchFeature(
  stored: Feature | undefined,
  { project, caller, ...patching }: FeaturePatch,
): Promise<Patched[]> {
  if (stored?.project !== project) {
    throw new NotFoundError(`project "${project}" has no feature "${patching.feature}"`);
  }
  const { environments } = stored;
  requirePermission(caller, project, environments);
  const done: Patched[] = [];
  for (const state of environments) {
    try {
      done.push(await patchEnvironment(patching, state));
    } catch (error) {
      throw stoppedAt(state.environment, error, done, environments);
    }
  }
  return done;
}

/** Every environment is judged before anything is written. */
function requirePermission(caller: Caller, project: string, environments: readonly EnvironmentState[]): void {
  const permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";
  const refused = environments.filter(
    ({ environment }) => !may(caller, permission, { project, environment }),
  );
  const errors = refused.map(({ environment }) => missingPermission(permission, { project, environment }));
  const details = errors.map(({ message }) => ({ message }));
  if (errors[0]) throw errors[0].restated(errors[0].message, details);
}

/** The same kind of error, with where it stopped and what became of every environment. */
function stoppedAt(
  environment: string,
  error: unknown,
  done: readonly Patched[],
  environments: readonly EnvironmentState[],
): ApiError {
  const cause =
    error instanceof ApiError ? error : new InternalError("something failed in it", { cause: error });
  const details: Detail[] = [
    ...done.map(({ environment, outcome }) => ({ environment, outcome })),
    { environment, outcome: "failed", message: cause.message },
    ...environments.slice(done.length + 1).map(notAttempted),
  ];
  return cause.restated(`environment "${environment}": ${cause.message}`, details);
}

function notAttempted({ environment }: EnvironmentState): Detail {
  return { environment, outcome: "not attempted" };
}
