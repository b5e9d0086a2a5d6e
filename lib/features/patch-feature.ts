/** A patch applied to a feature's variants environment by environment, with no transaction over them. */
import type { Detail } from "../contract/error-body.ts";
import { ApiError, ConflictError, InternalError, PreconditionFailed } from "../contract/errors.ts";
import { type Admission, admitPatch, unmet } from "./admit-patch.ts";
import type { EnvironmentState, Feature } from "./feature.ts";
import type { FeatureStore } from "./feature-store.ts";
import { type Patched, type Patching, patchEnvironment } from "./patch-environment.ts";
import { requireEnvironments } from "./require-environments.ts";

export interface FeaturePatch extends Patching, Admission {
  store: Pick<FeatureStore, "writeVariants" | "readFeature">;
}

/** The first failure stops it: environments before it stay patched, those after it are untouched. */
export async function patchFeature(stored: Feature | undefined, patch: FeaturePatch): Promise<Patched[]> {
  const environments = admitPatch(stored, patch);
  const done: Patched[] = [];
  for (const state of environments) {
    try {
      done.push(await patchEnvironment(patch, state));
    } catch (error) {
      const isUntouched = done.every(({ outcome }) => outcome === "unchanged");
      if (error instanceof PreconditionFailed && isUntouched) throw unmet(await readAgain(patch));
      throw stoppedAt(state.environment, error, done, environments);
    }
  }
  return done;
}

async function readAgain({ store, target }: FeaturePatch): Promise<readonly EnvironmentState[]> {
  return requireEnvironments(await store.readFeature(target), target);
}

/** The same kind of error, with where it stopped and what became of every environment. */
function stoppedAt(
  environment: string,
  error: unknown,
  done: readonly Patched[],
  environments: readonly EnvironmentState[],
): ApiError {
  const cause = toApiError(error);
  const details: Detail[] = [
    ...done.map(({ environment, outcome }) => ({ environment, outcome })),
    { environment, outcome: "failed", message: cause.message },
    ...environments.slice(done.length + 1).map(notAttempted),
  ];
  return cause.restated(`environment "${environment}": ${cause.message}`, details);
}

/** A failed precondition says that nothing was written; with environments patched already it is a conflict. */
function toApiError(error: unknown): ApiError {
  if (error instanceof PreconditionFailed) return new ConflictError(error.message);
  if (error instanceof ApiError) return error;
  return new InternalError("something failed in it", { cause: error });
}

function notAttempted({ environment }: EnvironmentState): Detail {
  return { environment, outcome: "not attempted" };
}
