/** The environments that a request is about. */
import { NotFoundError } from "../contract/errors.ts";
import type { EnvironmentState, Feature, Target } from "./feature.ts";

/** The environments to read or to patch, of what was read of the feature. */
export function requireEnvironments(
  stored: Feature | undefined,
  { project, feature, environment }: Target,
): readonly EnvironmentState[] {
  if (stored?.project !== project)
    throw new NotFoundError(`project "${project}" has no feature "${feature}"`);
  if (environment !== undefined && stored.environments.length === 0) {
    throw new NotFoundError(`feature "${feature}" has no environment "${environment}"`);
  }
  return stored.environments;
}
