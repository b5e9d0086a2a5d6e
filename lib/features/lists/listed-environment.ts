/** Makes what a list shows of an environment. The page `/patch` bundles this file, so it imports none that needs Node. */
import type { FeatureEnvironment } from "../../contract/responses/features.ts";
import type { FeatureWithEnvironments } from "../../contract/responses/lists.ts";

type ListedEnvironment = Omit<FeatureWithEnvironments["environments"][number], "environment">;

interface Source extends Omit<FeatureEnvironment, "environment" | "etag" | "targeting"> {
  /** A text, as the index has it, or an object, as a response has it. */
  targeting?: FeatureEnvironment["targeting"] | string | null;
}

/** Counts constraints and dependencies: listing them would make the pages several times larger. */
export function toListedEnvironment(source: Source): ListedEnvironment {
  const { enabled, variants, strategies, dependencies = [], targeting, guard, ...others } = source;
  // A new aspect does not compile until it is named here: the list shows it, or need not.
  others satisfies Record<string, never>;
  const listed = strategies.map(
    ({ name, disabled, parameters, constraints, variants: strategyVariants }) => ({
      name,
      ...(disabled && { disabled }),
      parameters,
      constraintCount: constraints.length,
      variants: strategyVariants.map(({ name: variant, weight }) => ({ name: variant, weight })),
    }),
  );
  return {
    enabled,
    variants,
    ...(listed.length > 0 && { strategies: listed }),
    ...(dependencies.length > 0 && { dependencyCount: dependencies.length }),
    ...(targeting && { hasTargeting: true }),
    ...(guard && { guard }),
  };
}
