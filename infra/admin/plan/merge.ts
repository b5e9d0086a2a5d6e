/** Merges a wanted state into the stored one. */
import { sortTags } from "../../../lib/features/update-tags.ts";
import { tagMember } from "../../../lib/store/items.ts";
import type { StateList } from "../../state/state-file.ts";
import type { NewApiKey } from "../../store/new-items.ts";
import type { WholeFeature } from "../../store/stored.ts";
import type { Content } from "./content.ts";
import type { Wanted, WantedFeature } from "./wanted.ts";

export interface MergeOptions {
  /** The lists from which everything that is not wanted is removed. */
  prune?: ReadonlySet<StateList>;
  /** Which order of a project's environments wins. */
  order?: "wanted first" | "stored first";
}

/** Removes no feature, environment or tag outside the pruned lists. A list of variants is replaced as a whole. */
export function merge(
  stored: Content,
  wanted: Wanted,
  { prune = new Set(), order = "wanted first" }: MergeOptions = {},
): Content {
  const projects = new Map(prune.has("projects") ? [] : stored.projects);
  for (const { id, environments } of wanted.projects) {
    const before = projects.get(id) ?? [];
    const lists = order === "wanted first" ? [environments, before] : [before, environments];
    projects.set(id, [...new Set(lists.flat())]);
  }
  const isExact = prune.has("features");
  const features = new Map(isExact ? [] : stored.features);
  for (const feature of wanted.features) {
    const before = isExact ? undefined : stored.features.get(feature.name);
    features.set(feature.name, mergeFeature(before, feature, projects.get(feature.project)));
  }
  return {
    projects,
    features: new Map([...features].map(([name, feature]) => [name, ordered(feature, projects)])),
    apiKeys: mergeApiKeys(stored, wanted, prune),
  };
}

function mergeFeature(
  before: WholeFeature | undefined,
  { name, project, tags, environments }: WantedFeature,
  ofProject: readonly string[] = [],
): WholeFeature {
  const lists = new Map(before?.environments);
  const wanted = environments ?? new Map(ofProject.map((environment) => [environment, undefined]));
  for (const [environment, variants] of wanted) {
    lists.set(environment, variants ?? lists.get(environment) ?? []);
  }
  const all = new Map([...(before?.tags ?? []), ...tags].map((tag) => [tagMember(tag), tag]));
  return { name, project, tags: sortTags([...all.values()]), environments: lists };
}

/** In the project's order; environments that it lacks come last, and are refused before anything is written. */
function ordered(feature: WholeFeature, projects: Content["projects"]): WholeFeature {
  const ofProject = projects.get(feature.project) ?? [];
  const order = [...new Set([...ofProject, ...feature.environments.keys()])];
  const lists = order.flatMap((name) => {
    const variants = feature.environments.get(name);
    return variants ? [[name, variants] as const] : [];
  });
  return { ...feature, environments: new Map(lists) };
}

/** A key replaces the current one of its name; a stored key that is wanted under another name is renamed. */
function mergeApiKeys(
  { apiKeys }: Content,
  wanted: Wanted,
  prune: ReadonlySet<StateList>,
): Content["apiKeys"] {
  if (prune.has("apiKeys")) return wanted.apiKeys;
  const isRetiring = ({ retiredAt }: NewApiKey) => retiredAt !== undefined;
  const names = new Set(wanted.apiKeys.filter((key) => !isRetiring(key)).map(({ name }) => name));
  const hashes = new Set(wanted.apiKeys.map(({ keyHash }) => keyHash));
  const stay = apiKeys.filter((key) => !hashes.has(key.keyHash) && (isRetiring(key) || !names.has(key.name)));
  return [...stay, ...wanted.apiKeys];
}
