/** Converts features to Unleash's response to its SDKs at `/api/client/features`. */
import type { Constraint, Strategy } from "../contract/strategies.ts";
import { activeStrategies, isOn } from "../features/active-strategies.ts";
import { type Format, stickinessOf } from "./format.ts";

const strategiesForEveryone = [{ name: "default", constraints: [], parameters: {}, variants: [] }];

const oneStickiness = "SDKs use that of the first variant for all";

export const unleash: Format = (features, { environment, project }, omissions) => {
  const served = features.filter(({ name, strategies, targeting }) => {
    const isForFlagd = targeting !== null && strategies.length === 0;
    if (isForFlagd) omissions.add("features", "flagd's targeting decides for whom they are on", name);
    return !isForFlagd;
  });
  for (const { name, variants, strategies } of served) {
    for (const list of [variants, ...activeStrategies(strategies).map((strategy) => strategy.variants)])
      stickinessOf(name, list, oneStickiness, omissions);
  }
  return {
    version: 2,
    features: served.map((feature) => ({
      name: feature.name,
      type: "release",
      project: feature.project,
      stale: false,
      impressionData: false,
      enabled: isOn(feature),
      strategies:
        feature.strategies.length === 0
          ? strategiesForEveryone
          : activeStrategies(feature.strategies).map(toServedStrategy),
      variants: feature.variants,
      ...(feature.dependencies.length > 0 && { dependencies: feature.dependencies }),
    })),
    query: { environment, ...(project !== undefined && { project: [project] }) },
  };
};

/**
 * Shows the strategy in Unleash's form, without the members that SDKs do not need. A new member does not compile until
 * it is named here.
 */
export function toServedStrategy({
  name,
  parameters,
  constraints,
  variants,
  id,
  title,
  disabled,
  sortOrder,
  ...others
}: Strategy) {
  others satisfies Record<string, never>;
  return { name, constraints: constraints.map(toServedConstraint), parameters, variants };
}

/** Adds the members that some SDKs require. */
function toServedConstraint(constraint: Constraint) {
  return { values: [], inverted: false, caseInsensitive: false, ...constraint };
}
