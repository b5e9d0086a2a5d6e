/** Compares features with what Unleash has of them: their variants, whether they are on, and for whom. */
import { isDeepStrictEqual } from "node:util";
import type { Dependency, Strategy } from "../../../../lib/contract/strategies.ts";
import type { Variant } from "../../../../lib/contract/variants.ts";
import type { ServedFeature } from "../../../../lib/documents/format.ts";
import type { Omissions } from "../../../../lib/documents/omissions.ts";
import { toServedStrategy } from "../../../../lib/documents/unleash.ts";
import { activeStrategies } from "../../../../lib/features/active-strategies.ts";
import { emptyContent } from "../../../../lib/features/model.ts";
import {
  compareByName,
  isSharedEvenly,
  normaliseWeights,
} from "../../../../lib/features/patch/variant-list.ts";
import { type Difference, differencesOf } from "../table/plan/differences.ts";
import { parseExportedVariants } from "./convert.ts";
import { type ExportedStrategy, unarchivedNames } from "./export.ts";
import type { Contents } from "./read-server.ts";
import { convertStrategies, parseParents } from "./strategies.ts";

interface Compared {
  /** The differences from Unleash's content to Burgee's. */
  differences: readonly Difference[];
  /** Whether the feature is not pushed; the omissions say why. */
  isLeftOut: boolean;
}

export type Comparison = (feature: ServedFeature) => Compared;

export function compareWithContents(
  { exports, segments }: Contents,
  environment: string,
  omissions: Omissions,
): Comparison {
  const existing = unarchivedNames(exports);
  const inEnvironments = exports.flatMap((one) => one.featureEnvironments);
  const inEnvironment = new Map(inEnvironments.map((one) => [one.featureName, one]));
  const strategiesOf = new Map<string, ExportedStrategy[]>();
  for (const one of exports.flatMap(({ featureStrategies }) => featureStrategies)) {
    strategiesOf.set(one.featureName, [...(strategiesOf.get(one.featureName) ?? []), one]);
  }

  return ({ name, project, enabled, variants, strategies, dependencies, targeting, ...others }) => {
    others satisfies Record<string, never>;
    const leaveOut = (what: string, why: string, differences: readonly Difference[] = []): Compared => {
      omissions.add({ what, why, which: name });
      return { differences, isLeftOut: true };
    };
    const theirs = inEnvironment.get(name);
    if (!existing.has(name)) return leaveOut("features", `not in project "${project}" of Unleash`);
    if (!theirs) return leaveOut("features", `not in environment "${environment}" of Unleash`);
    // Sorts by name, as Unleash sorts by the language of its server.
    const subject = (enabled: boolean, list: readonly Variant[]) => {
      const sorted = [...list].sort(compareByName);
      const environments = new Map([[environment, { ...emptyContent, enabled, variants: sorted }]]);
      return { name, project, tags: [], environments };
    };
    const given = strategiesOf.get(name) ?? [];
    if (targeting !== null) omissions.add({ what: "targeting", why: "Unleash has none", which: name });
    else if (!areServedAlike(strategies, convertStrategies(given, segments).value)) {
      omissions.add({ what: "strategies", why: "they differ: Unleash keeps its own", which: name });
    }
    const parents = exports.flatMap((one) => parseParents(one, name).value ?? []);
    if (!isDeepStrictEqual(servedParents(dependencies), servedParents(parents))) {
      omissions.add({ what: "dependencies", why: "they differ: Unleash keeps its own", which: name });
    }
    const theirVariants = parseExportedVariants(theirs.variants ?? []).value ?? [];
    const differencesTo = (list: readonly Variant[]) =>
      differencesOf(subject(theirs.enabled ?? enabled, theirVariants), subject(enabled, list));
    if (variants.length === 0 && theirs.variants && theirs.variants.length > 0) {
      return leaveOut("variants", "none here: Unleash keeps its own", differencesTo(theirVariants));
    }
    const hasOwnVariants = given.some((one) => one.variants && one.variants.length > 0);
    if (hasOwnVariants && variants.length > 0)
      omissions.add({ what: "variants", why: "SDKs use a strategy's variants instead", which: name });
    const differences = differencesTo(variants);
    if (!differences.some(isOfVariants) || isSharedEvenly(variants)) return { differences, isLeftOut: false };
    // An import stores weights as they were in Unleash, which divides them once they are pushed.
    omissions.add({ what: "weights", why: "Unleash divides the variable ones evenly", which: name });
    return { differences: differencesTo(normaliseWeights(variants)), isLeftOut: false };
  };
}

export function isOfVariants({ path }: Difference): boolean {
  return path[2] === "variants";
}

export function isOfSwitch({ path }: Difference): boolean {
  return path[2] === "enabled";
}

/** Invalid strategies, which are undefined, differ from all. */
function areServedAlike(ours: readonly Strategy[], theirs: readonly Strategy[] | undefined): boolean {
  return theirs !== undefined && isDeepStrictEqual(servedOf(ours), servedOf(theirs));
}

/** Returns the same for no strategies and for a rollout of 100: Unleash adds this one when it switches a feature on. */
function servedOf(strategies: readonly Strategy[]) {
  const isRolloutOfAll = ({ name, parameters, constraints, variants }: Strategy) =>
    name === "flexibleRollout" && parameters.rollout === "100" && constraints.length + variants.length === 0;
  const active = activeStrategies(strategies);
  const isForAll = strategies.length === 0 || (active.length === 1 && active.every(isRolloutOfAll));
  if (isForAll) return "everyone";
  return active.map(toServedStrategy);
}

/** Adds the defaults of members that are absent. */
function servedParents(dependencies: readonly Dependency[]) {
  return dependencies.map(({ feature, enabled = true, variants = [] }) => ({ feature, enabled, variants }));
}
