/** Compares features with what Unleash has of them by an export: their variants, and whether they are on. */
import type { Variant } from "../../../lib/contract/variants.ts";
import type { ServedFeature } from "../../../lib/documents/format.ts";
import type { Omissions } from "../../../lib/documents/left-out.ts";
import { byName, isSharedEvenly, normaliseWeights } from "../../../lib/features/variant-list.ts";
import { type Difference, differencesOf } from "../plan/differences.ts";
import { parseExportedVariants } from "./convert.ts";
import type { UnleashExport } from "./read-export.ts";

export interface Compared {
  /** From Unleash to Burgee. */
  differences: readonly Difference[];
  /** What cannot or must not be pushed is reported. */
  isLeftOut: boolean;
}

export type Comparison = (feature: ServedFeature) => Compared;

export function compareWithExport(
  { features, featureEnvironments, featureStrategies }: UnleashExport,
  environment: string,
  omissions: Omissions,
): Comparison {
  const existing = new Set(features.filter(({ archived }) => !archived).map(({ name }) => name));
  const inEnvironment = new Map(featureEnvironments.map((one) => [one.featureName, one]));
  const decided = featureStrategies.filter(({ variants }) => variants && variants.length > 0);
  const byStrategy = new Set(decided.map(({ featureName }) => featureName));

  return ({ name, project, enabled, variants, strategies, targeting }) => {
    const leaveOut = (what: string, why: string, differences: readonly Difference[] = []): Compared => {
      omissions.add(what, why, name);
      return { differences, isLeftOut: true };
    };
    const theirs = inEnvironment.get(name);
    if (!existing.has(name)) return leaveOut("features", `not in project "${project}" of Unleash`);
    if (!theirs) return leaveOut("features", `not in environment "${environment}" of Unleash`);
    // In order of name, as Unleash has them in the language of its server.
    const subject = (enabled: boolean, list: readonly Variant[]) => {
      const sorted = [...list].sort(byName);
      const environments = new Map([
        [environment, { enabled, variants: sorted, strategies: [], targeting: null }],
      ]);
      return { name, project, tags: [], environments };
    };
    if (strategies.length > 0 || targeting !== null) {
      omissions.add("strategies", "not pushed: Unleash keeps its own", name);
    }
    const kept = parseExportedVariants(theirs.variants ?? []).value ?? [];
    const differencesTo = (list: readonly Variant[]) =>
      differencesOf(subject(theirs.enabled ?? enabled, kept), subject(enabled, list));
    if (variants.length === 0 && theirs.variants && theirs.variants.length > 0) {
      return leaveOut("variants", "none here: Unleash keeps its own", differencesTo(kept));
    }
    if (byStrategy.has(name)) omissions.add("variants", "SDKs use a strategy's variants instead", name);
    const differences = differencesTo(variants);
    if (!differences.some(isOfVariants) || isSharedEvenly(variants)) return { differences, isLeftOut: false };
    // An import stores weights as they were in Unleash, which divides them once they are pushed.
    omissions.add("weights", "Unleash divides the variable ones evenly", name);
    return { differences: differencesTo(normaliseWeights(variants)), isLeftOut: false };
  };
}

export function isOfVariants({ path }: Difference): boolean {
  return path[2] === "variants";
}

export function isOfSwitch({ path }: Difference): boolean {
  return path[2] === "enabled";
}
