/** What has to be done to bring the table from what it holds to what it shall hold. */
import { isDeepStrictEqual } from "node:util";
import type { NewApiKey } from "../../store/new-items.ts";
import type { Stored, StoredFeature, WholeFeature } from "../../store/stored.ts";
import { type Target, toTarget } from "./target.ts";

/** Created without `before`, removed without `after`. */
interface Difference<Kind extends string, Value> {
  kind: Kind;
  name: string;
  before: Value | undefined;
  after: Value | undefined;
}

export type ProjectChange = Difference<"project", readonly string[]>;
export interface ApiKeyChange extends Difference<"apiKey", NewApiKey> {
  /** Those of its name that shall not be valid any more. */
  leaving: readonly NewApiKey[];
}
export interface FeatureChange extends Difference<"feature", WholeFeature> {
  stored: StoredFeature | undefined;
}
export type Change = ProjectChange | FeatureChange | ApiKeyChange;

export interface Plan {
  /** In the order in which they are done: a project before its features, and after them when it is removed. */
  changes: Change[];
  /** How many are as they shall be. */
  unchanged: number;
}

export function planChanges(stored: Stored, target: Target): Plan {
  const now = toTarget(stored);
  const projects = compare("project", now.projects, target.projects);
  const features = compare("feature", now.features, target.features);
  const apiKeys = compareKeys(now.apiKeys, target.apiKeys);
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

/** Maps with the same members in another order are equal to Node; the order of environments counts. */
function isSame(before: unknown, after: unknown): boolean {
  return isDeepStrictEqual(before, after) && isDeepStrictEqual(namesOf(before), namesOf(after));
}

function namesOf(value: unknown): unknown {
  const isFeature = typeof value === "object" && value !== null && "environments" in value;
  return isFeature && value.environments instanceof Map ? [...value.environments.keys()] : undefined;
}

/** A key is itself by its hash, whatever its name was; and what has the name of another is replaced by it. */
function compareKeys(now: readonly NewApiKey[], target: readonly NewApiKey[]): ApiKeyChange[] {
  const names = new Map(target.map(({ keyHash, name }) => [keyHash, name]));
  const leaving = now.filter(({ keyHash }) => !names.has(keyHash));
  const before = new Map(
    [...leaving, ...now.filter((key) => !leaving.includes(key))].map((key) => [
      names.get(key.keyHash) ?? key.name,
      key,
    ]),
  );
  const after = new Map(target.map((key) => [key.name, key]));
  return compare("apiKey", before, after).map((change) => ({
    ...change,
    leaving: leaving.filter(({ name }) => name === change.name),
  }));
}
