/** Compares the variants of features with those that Unleash has by an export. */
import type { Variant } from "../../../lib/contract/variants.ts";
import type { ServedFeature } from "../../../lib/documents/format.ts";
import type { Omissions } from "../../../lib/documents/left-out.ts";
import { byName, isSharedEvenly, normaliseWeights } from "../../../lib/features/variant-list.ts";
import { type Difference, differencesOf } from "../plan/differences.ts";
import { parseVariants } from "./convert.ts";
import type { UnleashExport } from "./read-export.ts";

/** From Unleash to Burgee; undefined for what cannot or must not be pushed, which is reported. */
export type Comparison = (feature: ServedFeature) => readonly Difference[] | undefined;

export function compareWithExport(
  { features, featureEnvironments, featureStrategies }: UnleashExport,
  environment: string,
  omissions: Omissions,
): Comparison {
  const existing = new Set(features.filter(({ archived }) => !archived).map(({ name }) => name));
  const lists = new Map(
    featureEnvironments.map(({ featureName, variants }) => [featureName, variants ?? []]),
  );
  const decided = featureStrategies.filter(({ variants }) => variants && variants.length > 0);
  const byStrategy = new Set(decided.map(({ featureName }) => featureName));

  return ({ name, project, variants }) => {
    const theirs = lists.get(name);
    if (!existing.has(name)) {
      omissions.add("features", `not in project "${project}" of Unleash`, name);
      return undefined;
    }
    if (!theirs) {
      omissions.add("features", `not in environment "${environment}" of Unleash`, name);
      return undefined;
    }
    if (variants.length === 0 && theirs.length > 0) {
      omissions.add("variants", "none here: Unleash keeps its own", name);
      return undefined;
    }
    if (byStrategy.has(name)) {
      omissions.add("variants", "SDKs use a strategy's variants instead", name);
    }
    // In order of name, as Unleash has them in the language of its server.
    const subject = (list: readonly Variant[]) => {
      const sorted = [...list].sort(byName);
      return {
        name,
        project,
        tags: [],
        environments: new Map([[environment, { enabled: false, variants: sorted }]]),
      };
    };
    const before = subject(parseVariants(theirs).value ?? []);
    const differences = differencesOf(before, subject(variants));
    if (differences.length === 0 || isSharedEvenly(variants)) return differences;
    // An import stores weights as they were in Unleash, which divides them once they are pushed.
    omissions.add("weights", "Unleash divides the variable ones evenly", name);
    return differencesOf(before, subject(normaliseWeights(variants)));
  };
}
