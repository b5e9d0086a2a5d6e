/** Merges the state of a file into the stored content. */
import { hashKey } from "../../lib/access/authenticate.ts";
import type { Targeting } from "../../lib/contract/strategies.ts";
import { inStrategyOrder } from "../../lib/features/active-strategies.ts";
import {
  type Aspect,
  type EnvironmentContent,
  emptyContent,
  formatTargeting,
  mapAspects,
} from "../../lib/features/model.ts";
import { movedShare } from "../../lib/features/moves/moved-share.ts";
import { movesBetween } from "../../lib/features/moves/moves.ts";
import { compareByName } from "../../lib/features/patch/variant-list.ts";
import { tagsAfter } from "../../lib/features/tags/tag-list.ts";
import type { FeatureEntry, State } from "../state/state-file-schemas.ts";
import { type ApiKeyContent, type FeatureContent, isCurrent, type TableContent } from "./content.ts";

/** A state in which each aspect of an environment can be left out. What is left out stays as it is stored. */
export interface WantedState extends Omit<State, "features"> {
  features: WantedFeatureState[];
}

interface WantedFeatureState extends Omit<FeatureEntry, "environments"> {
  environments?: Record<string, WantedEnvironment>;
}

type WantedEnvironment = {
  [A in Aspect]?: WantedAspects[A] | undefined;
};

/** The aspects in the form of a state file, which has the targeting as an object. */
type WantedAspects = Omit<EnvironmentContent, "targeting"> & { targeting: Targeting | null };

interface MergedContent extends TableContent {
  sorted: readonly SortedVariants[];
}

/** Variants that were given in another order than the API's. */
export interface SortedVariants {
  feature: string;
  environment: string;
  /** The share of the users with a variant who get another one than by the given order. */
  share: number;
}

/**
 * Removes only what the pruned lists lack. A list of variants is replaced as a whole, and sorted as patches sort it. The
 * environments of a project get the order of the file; environments that the file lacks come last.
 */
export function merge(
  stored: TableContent,
  wanted: WantedState,
  prune: ReadonlySet<keyof State> = new Set<keyof State>(),
): MergedContent {
  const projects = new Map(prune.has("projects") ? [] : stored.projects);
  for (const { id, environments } of wanted.projects) {
    projects.set(id, [...new Set([...environments, ...(projects.get(id) ?? [])])]);
  }
  const isPruned = prune.has("features");
  const features = new Map(isPruned ? [] : stored.features);
  for (const feature of wanted.features) {
    const ofProject = projects.get(feature.project) ?? [];
    const before = stored.features.get(feature.name);
    features.set(feature.name, mergeFeature(before, feature, { ofProject, isPruned }));
  }
  const areKeysPruned = prune.has("apiKeys");
  const storedKeys = new Map(areKeysPruned ? [] : stored.apiKeys.map((key) => [key.keyHash, key]));
  const apiKeys = wanted.apiKeys.map(({ key = "", keyHash = hashKey(key), ...rest }) => ({
    ...unnamedOfKey(storedKeys.get(keyHash)),
    ...rest,
    keyHash,
  }));
  return {
    projects,
    features: new Map([...features].map(([name, feature]) => [name, ordered(feature, projects)])),
    apiKeys: areKeysPruned ? apiKeys : mergeApiKeys(stored.apiKeys, apiKeys),
    sorted: wanted.features.flatMap(findSorted),
  };
}

/** Returns the environments in which SDKs would choose differently by the order that was given. */
function findSorted({ name: feature, environments = {} }: WantedFeatureState): SortedVariants[] {
  return Object.entries(environments).flatMap(([environment, { variants = [] }]) => {
    const given = { ...emptyContent, enabled: true, variants };
    const sorted = { ...given, variants: [...variants].sort(compareByName) };
    const share = movedShare(movesBetween(feature, given, sorted)) ?? 0;
    return share > 0 ? [{ feature, environment, share }] : [];
  });
}

const toStored: { readonly [A in Aspect]: (wanted: WantedAspects[A]) => EnvironmentContent[A] } = {
  enabled: (wanted) => wanted,
  variants: (wanted) => [...wanted].sort(compareByName),
  strategies: inStrategyOrder,
  dependencies: (wanted) => wanted,
  targeting: formatTargeting,
};

function mergeAspect<A extends Aspect>(
  aspect: A,
  wanted: WantedAspects[A] | undefined,
  stored: EnvironmentContent[A],
): EnvironmentContent[A] {
  return wanted === undefined ? stored : toStored[aspect](wanted);
}

/**
 * A feature without environments in the file gets all environments of its project. Aspects of an environment that the
 * file does not name stay as they are stored, also where the lists are pruned.
 */
function mergeFeature(
  before: FeatureContent | undefined,
  { name, project, tags, environments }: WantedFeatureState,
  { ofProject, isPruned }: { ofProject: readonly string[]; isPruned: boolean },
): FeatureContent {
  const contents = new Map(isPruned ? [] : before?.environments);
  for (const environment of environments ? Object.keys(environments) : ofProject) {
    const stored = before?.environments.get(environment) ?? emptyContent;
    const wanted = environments?.[environment] ?? {};
    contents.set(
      environment,
      mapAspects((aspect) => mergeAspect(aspect, wanted[aspect], stored[aspect])),
    );
  }
  const all = tagsAfter(isPruned ? [] : (before?.tags ?? []), { addedTags: tags, removedTags: [] });
  return { name, project, tags: all, environments: contents };
}

/**
 * Sorts the environments by the project's order. Environments that the project lacks come last, and are refused later.
 */
function ordered(feature: FeatureContent, projects: TableContent["projects"]): FeatureContent {
  const { project, environments: has } = feature;
  const order = new Set([...(projects.get(project) ?? []), ...has.keys()]);
  const contents = [...order].flatMap((name) => {
    const content = has.get(name);
    return content ? [[name, content] as const] : [];
  });
  return { ...feature, environments: new Map(contents) };
}

/** Returns the members of a stored API key that stay where the file does not name them. */
function unnamedOfKey(stored: ApiKeyContent | undefined) {
  const { permissions = [], disabled = false, expiresAt } = stored ?? {};
  return { permissions, disabled, ...(expiresAt !== undefined && { expiresAt }) };
}

/** A wanted key replaces the current key of its name. A stored key that is wanted under another name is renamed. */
function mergeApiKeys(stored: readonly ApiKeyContent[], wanted: readonly ApiKeyContent[]): ApiKeyContent[] {
  const names = new Set(wanted.filter(isCurrent).map(({ name }) => name));
  const hashes = new Set(wanted.map(({ keyHash }) => keyHash));
  const stay = stored.filter((key) => !hashes.has(key.keyHash) && !(isCurrent(key) && names.has(key.name)));
  return [...stay, ...wanted];
}
