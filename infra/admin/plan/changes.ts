/** Plans the changes that turn the stored state into the target. */
import type { ApiKeyItem, ProjectItem } from "../../../lib/store/items.ts";
import { printable } from "../../cli/printable.ts";
import { type Content, type NewApiKey, toContent, type WantedFeature } from "../../store/content.ts";
import { keyHashOf, type Stored, type StoredFeature } from "../../store/read-table.ts";
import { type Difference, differencesOf, formatDifference, type Subject } from "./differences.ts";

interface Planned<Kind, Item, Value> {
  action: "create" | "update" | "remove";
  kind: Kind;
  name: string;
  differences: readonly Difference[];
  stored: Item | undefined;
  after: Value | undefined;
}

export type Change =
  | Planned<"project", ProjectItem, readonly string[]>
  | Planned<"feature", StoredFeature, WantedFeature>
  /** What is stored under the hash of the key, a revoked key included. */
  | Planned<"apiKey", ApiKeyItem, NewApiKey>;

/** The changes are in order of execution, those of one kind by name. `unchanged` counts what already matches the target. */
export function planChanges(stored: Stored, target: Content): { changes: Change[]; unchanged: number } {
  const now = toContent(stored);
  const projects = compare("project", stored.projects, now.projects, target.projects);
  const features = compare("feature", stored.features, now.features, target.features);
  // A key is identified by its hash, not by its name.
  const items = new Map([...stored.revokedKeys, ...stored.apiKeys].map((item) => [keyHashOf(item), item]));
  const byHash = (keys: readonly NewApiKey[]) => new Map(keys.map((key) => [key.keyHash, key]));
  const apiKeys = compare("apiKey", items, byHash(now.apiKeys), byHash(target.apiKeys)).map((one) => {
    return { ...one, name: one.after?.name ?? one.stored?.name ?? "" };
  });
  const isNew = ({ action }: Change) => action === "create";
  // A project that exists comes last, so that a run after an interruption completes its features.
  const rest = projects.filter((one) => !isNew(one));
  const changes = [projects.filter(isNew), features, apiKeys, rest].flatMap(inOrder);
  const kept = target.projects.size + target.features.size + target.apiKeys.length;
  return { changes, unchanged: kept - changes.filter(({ after }) => after).length };
}

/**
 * Whether the change removes something, so that `apply` asks for confirmation: an item, or a tag or an environment of one.
 * A variant counts only with --prune: without it, the file names the list that replaces the variants.
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

/** What is removed comes last. */
function inOrder(changes: readonly Change[]): Change[] {
  return [...changes].sort(
    (left, right) => Number(!left.after) - Number(!right.after) || (left.name < right.name ? -1 : 1),
  );
}

function compare<Kind extends string, Item, Value extends Subject>(
  kind: Kind,
  stored: ReadonlyMap<string, Item>,
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): Planned<Kind, Item, Value>[] {
  const names = [...new Set([...after.keys(), ...before.keys()])];
  const all = names.map((name): Planned<Kind, Item, Value> => {
    const [old, wanted] = [before.get(name), after.get(name)];
    const action = !wanted ? "remove" : old ? "update" : "create";
    const differences = wanted ? differencesOf(old, wanted) : [];
    return { action, kind, name, differences, stored: stored.get(name), after: wanted };
  });
  return all.filter(({ action, differences }) => action !== "update" || differences.length > 0);
}
