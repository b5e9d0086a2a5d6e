/** Converts features to Unleash's response to its SDKs at `/api/client/features`. */
import type { Constraint, Strategy } from "../contract/strategies.ts";
import { activeStrategies, isOn } from "../features/active-strategies.ts";
import { type Format, reportMixedStickiness, type ServedFeature } from "./format.ts";

const strategiesForEveryone = [{ name: "default", constraints: [], parameters: {}, variants: [] }];

const oneStickiness = "SDKs use that of the first variant for all";

export const unleash: Format = (features, { environment, project }, omissions) => {
  const served = features.filter(({ name, strategies, targeting }) => {
    const isForFlagd = targeting !== null && strategies.length === 0;
    if (isForFlagd)
      omissions.add({ what: "features", why: "flagd's targeting decides for whom they are on", which: name });
    return !isForFlagd;
  });
  for (const { name, variants, strategies } of served) {
    for (const list of [variants, ...activeStrategies(strategies).map((strategy) => strategy.variants)])
      reportMixedStickiness(name, list, oneStickiness, omissions);
  }
  return {
    version: 2,
    features: served.map(toClientFeature),
    query: { environment, ...(project !== undefined && { project: [project] }) },
  };
};

/** Shows the feature in Unleash's form. A new aspect does not compile until it is named here. */
function toClientFeature({
  name,
  project,
  enabled,
  variants,
  strategies,
  dependencies,
  targeting: _,
  ...others
}: ServedFeature) {
  others satisfies Record<string, never>;
  return {
    name,
    type: "release",
    project,
    stale: false,
    impressionData: false,
    enabled: isOn({ enabled, strategies }),
    strategies:
      strategies.length === 0 ? strategiesForEveryone : activeStrategies(strategies).map(toServedStrategy),
    variants,
    ...(dependencies.length > 0 && { dependencies }),
  };
}

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
