/** Makes what a list shows of an environment. The page has this file too, so it imports none that needs Node. */
import type { FeatureWithEnvironments } from "../../contract/responses/lists.ts";
import type { Strategy } from "../../contract/strategies.ts";

type ListedEnvironment = FeatureWithEnvironments["environments"][number];

interface Source extends Pick<ListedEnvironment, "enabled" | "variants" | "guard"> {
  strategies: readonly Strategy[];
}

/** Counts the constraints: listing them would make the pages several times larger. */
export function toListedEnvironment({ enabled, variants, strategies, guard }: Source) {
  const listed = strategies.map(
    ({ name, disabled, parameters, constraints, variants: strategyVariants }) => ({
      name,
      ...(disabled && { disabled }),
      parameters,
      constraintCount: constraints.length,
      variants: strategyVariants.map(({ name: variant, weight }) => ({ name: variant, weight })),
    }),
  );
  return { enabled, variants, ...(listed.length > 0 && { strategies: listed }), ...(guard && { guard }) };
}
