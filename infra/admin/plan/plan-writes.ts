/** Plans the writes that turn the stored state into the target. */
import { printable } from "../../cli/printable.ts";
import type { ApiKeyContent, Content, FeatureContent } from "../../store/content.ts";
import { type ComparedContent, type Difference, differencesOf, formatDifference } from "./differences.ts";

interface Planned<Kind, Value> {
  action: "create" | "update" | "remove";
  kind: Kind;
  name: string;
  differences: readonly Difference[];
  /** The hash of an API key, else the name. */
  id: string;
  before: Value | undefined;
  after: Value | undefined;
}

export type PlannedWrite =
  | Planned<"project", readonly string[]>
  | Planned<"feature", FeatureContent>
  | Planned<"apiKey", ApiKeyContent>;

/** The writes are in order of execution, those of one kind by name. `unchanged` counts what already matches the target. */
export function planWrites(now: Content, target: Content): { writes: PlannedWrite[]; unchanged: number } {
  const projects = compare("project", now.projects, target.projects);
  const features = compare("feature", now.features, target.features);
  // A key is identified by its hash, not by its name.
  const byHash = (keys: readonly ApiKeyContent[]) => new Map(keys.map((key) => [key.keyHash, key]));
  const apiKeys = compare("apiKey", byHash(now.apiKeys), byHash(target.apiKeys)).map((one) => {
    return { ...one, name: one.after?.name ?? one.before?.name ?? "" };
  });
  const isNew = ({ action }: PlannedWrite) => action === "create";
  // A project that exists comes last, so that a run after an interruption completes its features.
  const rest = projects.filter((one) => !isNew(one));
  const writes = [projects.filter(isNew), features, apiKeys, rest].flatMap(inOrder);
  const maps = [target.projects, target.features];
  const kept = maps.reduce((sum, { size }) => sum + size, target.apiKeys.length);
  return { writes, unchanged: kept - writes.filter(({ after }) => after).length };
}

/**
 * Whether the write removes something, so that `apply` asks for confirmation: an item, or a tag or an environment of one.
 * A variant counts only with --prune: without it, the file names the list that replaces the variants.
 */
export function removesSomething({ action, differences }: PlannedWrite, { prune = false } = {}): boolean {
  const depth = prune ? 4 : 2;
  const isRemoval = ({ path, to }: Difference) =>
    to === undefined && path.length >= 2 && path.length <= depth;
  return action === "remove" || differences.some(isRemoval);
}

const signs = { create: "+", update: "~", remove: "-" };
export const kinds = { project: "project", feature: "feature", apiKey: "key" };

export function format({
  action,
  kind,
  name,
  differences,
}: Pick<PlannedWrite, "action" | "kind" | "name" | "differences">): string {
  const lines = differences.map((difference) => `    ${formatDifference(difference)}`);
  return [`${signs[action]} ${kinds[kind]} "${name}"`, ...lines].map(printable).join("\n");
}

/** What is removed comes last. */
function inOrder(writes: readonly PlannedWrite[]): PlannedWrite[] {
  return [...writes].sort(
    (left, right) => Number(!left.after) - Number(!right.after) || (left.name < right.name ? -1 : 1),
  );
}

function compare<Kind extends string, Value extends ComparedContent>(
  kind: Kind,
  now: ReadonlyMap<string, Value>,
  target: ReadonlyMap<string, Value>,
): Planned<Kind, Value>[] {
  const ids = [...new Set([...target.keys(), ...now.keys()])];
  const all = ids.map((id): Planned<Kind, Value> => {
    const [before, after] = [now.get(id), target.get(id)];
    const action = !after ? "remove" : before ? "update" : "create";
    const differences = after ? differencesOf(before, after) : [];
    return { action, kind, name: id, differences, id, before, after };
  });
  return all.filter(({ action, differences }) => action !== "update" || differences.length > 0);
}
