/** Plans the changes that turn the stored state into the target. */
import { isDeepStrictEqual } from "node:util";
import type { ApiKeyItem, ProjectItem } from "../../../lib/store/items.ts";
import type { NewApiKey } from "../../store/new-items.ts";
import { keyHashOf, type Stored, type StoredFeature, type WholeFeature } from "../../store/stored.ts";
import { type Content, toApiKey, toContent } from "./content.ts";

/** Created without `before`, removed without `after`. */
interface Difference<Kind extends string, Value> {
  kind: Kind;
  name: string;
  before: Value | undefined;
  after: Value | undefined;
}

export interface ProjectChange extends Difference<"project", readonly string[]> {
  stored: ProjectItem | undefined;
}
export interface ApiKeyChange extends Difference<"apiKey", NewApiKey> {
  /** What is stored under its hash, a revoked key included. */
  stored: ApiKeyItem | undefined;
  /** The keys that are revoked by this change. */
  leaving: readonly ApiKeyItem[];
}
export interface FeatureChange extends Difference<"feature", WholeFeature> {
  stored: StoredFeature | undefined;
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
  const projects = compare("project", now.projects, target.projects).map((change) => ({
    ...change,
    stored: stored.projects.get(change.name),
  }));
  const features = compare("feature", now.features, target.features);
  const apiKeys = compareKeys(stored, target.apiKeys);
  const changes = [
    ...projects.filter(({ after }) => after),
    ...features.map((change) => ({ ...change, stored: stored.features.get(change.name) })),
    ...apiKeys,
    ...projects.filter(({ after }) => !after),
  ];
  const kept = target.projects.size + target.features.size + target.apiKeys.length;
  return { changes, unchanged: kept - changes.filter(({ after }) => after).length };
}

function compare<Kind extends string, Value>(
  kind: Kind,
  now: ReadonlyMap<string, Value>,
  target: ReadonlyMap<string, Value>,
): Difference<Kind, Value>[] {
  const names = [...new Set([...now.keys(), ...target.keys()])];
  return names
    .map((name) => ({ kind, name, before: now.get(name), after: target.get(name) }))
    .filter(({ before, after }) => !isSame(before, after));
}

/** To Node, maps with another order of members are equal; here the order of environments matters. */
function isSame(before: unknown, after: unknown): boolean {
  return isDeepStrictEqual(before, after) && isDeepStrictEqual(namesOf(before), namesOf(after));
}

function namesOf(value: unknown): unknown {
  const isFeature = typeof value === "object" && value !== null && "environments" in value;
  return isFeature && value.environments instanceof Map ? [...value.environments.keys()] : undefined;
}

/** A key is identified by its hash, not its name; a key that gets the name of another replaces it. */
function compareKeys({ apiKeys, revokedKeys }: Stored, target: readonly NewApiKey[]): ApiKeyChange[] {
  const items = new Map([...revokedKeys, ...apiKeys].map((item) => [keyHashOf(item), item]));
  const current = new Map(apiKeys.map(toApiKey).map((key) => [key.keyHash, key]));
  const wanted = new Set(target.map(({ keyHash }) => keyHash));
  const leaving = apiKeys.filter((item) => !wanted.has(keyHashOf(item)));
  const replacedBy = ({ name, retiredAt }: NewApiKey) =>
    retiredAt === undefined ? leaving.filter((one) => one.name === name && one.retiredAt === undefined) : [];
  const changes = target.map((after): ApiKeyChange => {
    const replaced = replacedBy(after);
    const before = current.get(after.keyHash) ?? replaced.map(toApiKey).at(0);
    const stored = items.get(after.keyHash);
    return { kind: "apiKey", name: after.name, before, after, stored, leaving: replaced };
  });
  const replaced = new Set(changes.flatMap(({ leaving }) => leaving));
  const removals = leaving
    .filter((item) => !replaced.has(item))
    .map((item): ApiKeyChange => {
      const before = toApiKey(item);
      return { kind: "apiKey", name: item.name, before, after: undefined, stored: item, leaving: [item] };
    });
  return [
    ...changes.filter(({ before, after, leaving }) => leaving.length > 0 || !isSame(before, after)),
    ...removals,
  ];
}
