/** Plans the changes that turn the stored state into the target. */
import { isDeepStrictEqual } from "node:util";
import type { ApiKeyItem, ProjectItem } from "../../../lib/store/items.ts";
import type { NewApiKey } from "../../store/new-items.ts";
import { keyHashOf, type Stored, type StoredFeature, type WantedFeature } from "../../store/stored.ts";
import { compare, type Pair } from "./compare.ts";
import { type Content, toApiKey, toContent } from "./content.ts";

export interface ProjectChange extends Pair<readonly string[]> {
  kind: "project";
  stored: ProjectItem | undefined;
}
export interface FeatureChange extends Pair<WantedFeature> {
  kind: "feature";
  stored: StoredFeature | undefined;
}
export interface ApiKeyChange extends Pair<NewApiKey> {
  kind: "apiKey";
  /** What is stored under its hash, a revoked key included. */
  stored: ApiKeyItem | undefined;
  /** The keys that are revoked by this change. */
  leaving: readonly ApiKeyItem[];
}
export type Change = ProjectChange | FeatureChange | ApiKeyChange;

export interface Plan {
  /** In order of execution: a project is created before its features, and removed after them. */
  changes: Change[];
  /** How many already match the target. */
  unchanged: number;
}

export function planChanges(stored: Stored, target: Content): Plan {
  const now = toContent(stored);
  const projects = compare(now.projects, target.projects).map((pair): ProjectChange => {
    return { kind: "project", ...pair, stored: stored.projects.get(pair.name) };
  });
  const features = compare(now.features, target.features, isSameFeature).map((pair): FeatureChange => {
    return { kind: "feature", ...pair, stored: stored.features.get(pair.name) };
  });
  const changes = [
    ...projects.filter(({ after }) => after),
    ...features,
    ...compareKeys(stored, target.apiKeys),
    ...projects.filter(({ after }) => !after),
  ];
  const kept = target.projects.size + target.features.size + target.apiKeys.length;
  return { changes, unchanged: kept - changes.filter(({ after }) => after).length };
}

/** To Node, maps with another order of members are equal; here the order of environments matters. */
function isSameFeature(before?: WantedFeature, after?: WantedFeature): boolean {
  const namesOf = (one?: WantedFeature) => [...(one?.environments.keys() ?? [])];
  return isDeepStrictEqual(before, after) && isDeepStrictEqual(namesOf(before), namesOf(after));
}

/** A key is identified by its hash, not its name; a key that gets the name of another replaces it. */
function compareKeys({ apiKeys, revokedKeys }: Stored, target: readonly NewApiKey[]): ApiKeyChange[] {
  const items = new Map([...revokedKeys, ...apiKeys].map((item) => [keyHashOf(item), item]));
  const current = new Map(apiKeys.map(toApiKey).map((key) => [key.keyHash, key]));
  const wanted = new Set(target.map(({ keyHash }) => keyHash));
  const left = new Set(apiKeys.filter((item) => !wanted.has(keyHashOf(item))));
  const changes = target.map((after): ApiKeyChange => {
    const { name, keyHash, retiredAt } = after;
    const isReplaced = (item: ApiKeyItem) => item.name === name && item.retiredAt === undefined;
    const leaving = retiredAt === undefined ? [...left].filter(isReplaced) : [];
    for (const item of leaving) left.delete(item);
    const before = current.get(keyHash) ?? leaving.map(toApiKey).at(0);
    return { kind: "apiKey", name, before, after, stored: items.get(keyHash), leaving };
  });
  const removals = [...left].map((item): ApiKeyChange => {
    const before = toApiKey(item);
    return { kind: "apiKey", name: item.name, before, after: undefined, stored: item, leaving: [item] };
  });
  return [
    ...changes.filter(
      ({ before, after, leaving }) => leaving.length > 0 || !isDeepStrictEqual(before, after),
    ),
    ...removals,
  ];
}
