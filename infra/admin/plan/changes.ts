/** Plans the changes that turn the stored state into the target. */
import type { ApiKeyItem, ProjectItem } from "../../../lib/store/items.ts";
import { printable } from "../../printable.ts";
import { type Content, type NewApiKey, toContent, type WantedFeature } from "../../store/content.ts";
import { keyHashOf, type Stored, type StoredFeature } from "../../store/read-table.ts";
import { type Difference, differencesOf, formatDifference, type Subject } from "./differences.ts";

interface Compared<Value> {
  action: "create" | "update" | "remove";
  name: string;
  differences: readonly Difference[];
  after: Value | undefined;
}

export type Change =
  | (Compared<readonly string[]> & { kind: "project"; stored: ProjectItem | undefined })
  | (Compared<WantedFeature> & { kind: "feature"; stored: StoredFeature | undefined })
  /** What is stored under the hash of the key, a revoked key included. */
  | (Compared<NewApiKey> & { kind: "apiKey"; stored: ApiKeyItem | undefined });

export interface Plan {
  /** In order of execution. */
  changes: Change[];
  /** How many already match the target. */
  unchanged: number;
}

export function planChanges(stored: Stored, target: Content): Plan {
  const now = toContent(stored);
  const items = new Map([...stored.revokedKeys, ...stored.apiKeys].map((item) => [keyHashOf(item), item]));
  const projects = compare(now.projects, target.projects).map((one): Change => {
    return { kind: "project", ...one, stored: stored.projects.get(one.name) };
  });
  const features = compare(now.features, target.features).map((one): Change => {
    return { kind: "feature", ...one, stored: stored.features.get(one.name) };
  });
  const apiKeys = compare(byHash(now.apiKeys), byHash(target.apiKeys)).map((one): Change => {
    const item = items.get(one.name);
    return { kind: "apiKey", ...one, name: one.after?.name ?? item?.name ?? "", stored: item };
  });
  const isNew = ({ action }: Change) => action === "create";
  // A project that exists comes last, so that a run after an interruption completes its features.
  const rest = projects.filter((one) => !isNew(one));
  const changes = [...projects.filter(isNew), ...features, ...apiKeys, ...rest];
  const kept = target.projects.size + target.features.size + target.apiKeys.length;
  return { changes, unchanged: kept - changes.filter(({ after }) => after).length };
}

/**
 * Whether the change removes something, so that `apply` asks for confirmation. Variants count where the file may lack them:
 * without --prune it names the list that replaces them.
 */
export function removesSomething({ action, differences }: Change, { prune = false } = {}): boolean {
  const depth = prune ? 3 : 2;
  const isRemoval = ({ path, to }: Difference) =>
    to === undefined && path.length >= 2 && path.length <= depth;
  return action === "remove" || differences.some(isRemoval);
}

const signs = { create: "+", update: "~", remove: "-" };
export const kinds = { project: "project", feature: "feature", apiKey: "key" };

export function format({ action, kind, name, differences }: Change): string {
  const lines = differences.map((difference) => `    ${formatDifference(difference)}`);
  return [`${signs[action]} ${kinds[kind]} "${name}"`, ...lines].map(printable).join("\n");
}

/** A key is identified by its hash, not by its name. */
function byHash(keys: readonly NewApiKey[]): Map<string, NewApiKey> {
  return new Map(keys.map((key) => [key.keyHash, key]));
}

/** What is removed comes last. */
function compare<Value extends Subject>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): Compared<Value>[] {
  const names = [...new Set([...after.keys(), ...before.keys()])];
  const all = names.map((name): Compared<Value> => {
    const [old, wanted] = [before.get(name), after.get(name)];
    if (!wanted) return { action: "remove", name, differences: [], after: wanted };
    const differences = differencesOf(old, wanted);
    return { action: old ? "update" : "create", name, differences, after: wanted };
  });
  return all.filter(({ action, differences }) => action !== "update" || differences.length > 0);
}
