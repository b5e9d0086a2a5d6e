/** Plans the writes that turn the stored content into the wanted one. */
import { isDeepStrictEqual } from "node:util";
import {
  type Aspect,
  aspects,
  type EnvironmentContent,
  emptyContent,
} from "../../../../../lib/features/model.ts";
import type { Moves } from "../../../../../lib/features/moves/move-types.ts";
import { describeMoves, roundMoves } from "../../../../../lib/features/moves/moved-share.ts";
import { movesBetween } from "../../../../../lib/features/moves/moves.ts";
import { printable } from "../../../../cli/printable.ts";
import type { ApiKeyContent, FeatureContent, TableContent } from "../../../../store/content.ts";
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
  /** The users to whom an update of a feature gives something else, by environment. */
  moves?: Readonly<Record<string, Moves>>;
}

export type PlannedWrite =
  | Planned<"project", readonly string[]>
  | Planned<"feature", FeatureContent>
  | Planned<"apiKey", ApiKeyContent>;

/** The writes are in order of execution, those of one kind by name. `unchanged` counts what is as wanted already. */
export function planWrites(
  now: TableContent,
  wanted: TableContent,
): { writes: PlannedWrite[]; unchanged: number } {
  const projects = planKind("project", now.projects, wanted.projects);
  const features = planKind("feature", now.features, wanted.features);
  // A key is identified by its hash, not by its name.
  const byHash = (keys: readonly ApiKeyContent[]) => new Map(keys.map((key) => [key.keyHash, key]));
  const apiKeys = planKind("apiKey", byHash(now.apiKeys), byHash(wanted.apiKeys)).map((one) => {
    return { ...one, name: one.after?.name ?? one.before?.name ?? "" };
  });
  const isNew = ({ action }: PlannedWrite) => action === "create";
  // A project that exists comes last, so that a run after an interruption completes its features.
  const rest = projects.filter((one) => !isNew(one));
  const writes = [projects.filter(isNew), features, apiKeys, rest].flatMap(inOrder);
  const maps = [wanted.projects, wanted.features];
  const wantedCount = maps.reduce((sum, { size }) => sum + size, wanted.apiKeys.length);
  return { writes, unchanged: wantedCount - writes.filter(({ after }) => after).length };
}

export interface ConsentOptions {
  prune?: boolean;
  asksBeforeEmptying?: boolean;
}

/**
 * Whether the command asks before the write, because this
 *
 *   removes    an item, or a tag or an environment of one. With --prune also one of several variants or strategies: without
 *              it, the file names the list that replaces them
 *   switches   a feature in an environment that the feature had before
 *   empties    another aspect of such an environment. An import does not ask then: another aspect may express the same
 *   extends    an API key, which is valid for longer, or gets a permission
 */
export function needsConsent(write: PlannedWrite, { prune, asksBeforeEmptying }: ConsentOptions): boolean {
  const { action, differences } = write;
  if (write.kind === "apiKey" && write.before && write.after && isStronger(write.before, write.after))
    return true;
  if (asksBeforeEmptying && write.kind === "feature" && emptiesAspect(write)) return true;
  const depth = prune ? 4 : 2;
  const isRemoval = ({ path, to }: Difference) =>
    to === undefined && path.length >= 2 && path.length <= depth;
  const isSwitch = ({ path, from }: Difference) =>
    path.length === 3 && path[2] === "enabled" && from !== undefined;
  return action === "remove" || differences.some((one) => isRemoval(one) || isSwitch(one));
}

function emptiesAspect({ before, after }: Planned<"feature", FeatureContent>): boolean {
  const isEmpty = (content: EnvironmentContent, aspect: Aspect) =>
    isDeepStrictEqual(content[aspect], emptyContent[aspect]);
  return [...(after?.environments ?? [])].some(([environment, content]) => {
    const had = before?.environments.get(environment);
    return had !== undefined && aspects.some((aspect) => isEmpty(content, aspect) && !isEmpty(had, aspect));
  });
}

function isStronger(before: ApiKeyContent, after: ApiKeyContent): boolean {
  const endOf = ({ expiresAt, retiredAt }: ApiKeyContent) =>
    Math.min(...[expiresAt, retiredAt].map((time) => (time === undefined ? Infinity : Date.parse(time))));
  const had = (one: ApiKeyContent["permissions"][number]) =>
    before.permissions.some((other) => isDeepStrictEqual(one, other));
  const isEnabled = before.disabled && !after.disabled;
  return isEnabled || endOf(after) > endOf(before) || !after.permissions.every(had);
}

const signs = { create: "+", update: "~", remove: "-" };
export const kinds = { project: "project", feature: "feature", apiKey: "key" };

export function formatWrite({
  action,
  kind,
  name,
  differences,
  moves = {},
}: Pick<PlannedWrite, "action" | "kind" | "name" | "differences" | "moves">): string {
  const lines = [
    ...differences.map((difference) => `    ${formatDifference(difference)}`),
    ...Object.entries(moves).map(
      ([environment, list]) => `    of the users in ${environment}: ${describeMoves(list)}`,
    ),
  ];
  return [`${signs[action]} ${kinds[kind]} "${name}"`, ...lines].map(printable).join("\n");
}

function movesOf(
  before: ComparedContent | undefined,
  after: ComparedContent | undefined,
): { moves?: Record<string, Moves> } {
  if (!before || !after || !("tags" in before) || !("tags" in after)) return {};
  const moves = [...after.environments].flatMap(([environment, content]) => {
    const had = before.environments.get(environment);
    const list = had ? roundMoves(movesBetween(after.name, had, content)) : [];
    return list.length > 0 ? [[environment, list] as const] : [];
  });
  return moves.length > 0 ? { moves: Object.fromEntries(moves) } : {};
}

/** Sorts writes by name, removals last. */
function inOrder(writes: readonly PlannedWrite[]): PlannedWrite[] {
  return [...writes].sort(
    (left, right) => Number(!left.after) - Number(!right.after) || (left.name < right.name ? -1 : 1),
  );
}

function planKind<Kind extends string, Value extends ComparedContent>(
  kind: Kind,
  now: ReadonlyMap<string, Value>,
  wanted: ReadonlyMap<string, Value>,
): Planned<Kind, Value>[] {
  const ids = [...new Set([...wanted.keys(), ...now.keys()])];
  const all = ids.map((id): Planned<Kind, Value> => {
    const [before, after] = [now.get(id), wanted.get(id)];
    const action = !after ? "remove" : before ? "update" : "create";
    const differences = after ? differencesOf(before, after) : [];
    return { action, kind, name: id, differences, id, before, after, ...movesOf(before, after) };
  });
  return all.filter(({ action, differences }) => action !== "update" || differences.length > 0);
}
