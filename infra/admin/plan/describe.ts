/** Describes a change as data, and for a terminal: the action, its subject, and each difference by its path. */
import { isDeepStrictEqual } from "node:util";
import { printable } from "../../printable.ts";
import type { NewApiKey } from "../../store/new-items.ts";
import { keyHashOf, type WantedFeature } from "../../store/stored.ts";
import { formatPermit } from "../permits.ts";
import { formatTags } from "../terminal/quoted.ts";
import type { Change } from "./changes.ts";
import { inOrder } from "./variant-order.ts";

interface Difference {
  /** Such as environments, production, blue, weight. */
  path: readonly string[];
  /** Without it, the change adds what is there. */
  from?: unknown;
  /** Without it, the change removes what was there. */
  to?: unknown;
}

export interface Described {
  action: "create" | "update" | "remove";
  kind: Change["kind"];
  name: string;
  differences: Difference[];
}

export function describe(change: Change): Described {
  const { kind, name, before, after } = change;
  const action = before ? "update" : "create";
  if (!after) return { action: "remove", kind, name, differences: [] };
  return { action, kind, name, differences: [...differencesOf(change)] };
}

/**
 * Whether the change removes something, or revokes a key, so that `apply` asks for confirmation. Variants count where the
 * file may lack them: without --prune it names the list that replaces them.
 */
export function removesSomething({ action, differences }: Described, { prune = false } = {}): boolean {
  const isRemoval = ({ path, to }: Difference) =>
    path[0] === "keyHash" || (to === undefined && (path.length === 2 || (prune && path.length === 3)));
  return action === "remove" || differences.some(isRemoval);
}

const signs = { create: "+", update: "~", remove: "-" };
const kinds = { project: "project", feature: "feature", apiKey: "key" };

export function format({ action, kind, name, differences }: Described): string {
  const lines = differences.map((difference) => `    ${formatDifference(difference)}`);
  return [`${signs[action]} ${kinds[kind]} "${name}"`, ...lines].map(printable).join("\n");
}

function formatDifference({ path, from, to }: Difference): string {
  if (path[0] === "keyHash") return "another key: the old one is revoked";
  const place = path.join("/");
  if (to === undefined) return `- ${place}`;
  if (from !== undefined) return `~ ${place}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`;
  return `+ ${place}${isDeepStrictEqual(to, {}) ? "" : `: ${JSON.stringify(to)}`}`;
}

function* differencesOf(change: Change): Generator<Difference> {
  if (change.kind === "apiKey") {
    const { before, after, leaving } = change;
    yield* compareMembers([], before ? ofKey(before) : { name: change.name }, after && ofKey(after));
    for (const key of leaving) yield { path: ["keyHash"], from: keyHashOf(key), to: after?.keyHash };
  } else if (change.kind === "feature") {
    yield* compareMembers(
      [],
      change.before && ofFeature(change.before),
      change.after && ofFeature(change.after),
    );
  } else {
    yield* compareMembers(["environments"], namesOf(change.before), namesOf(change.after));
  }
}

/** Where the members are the same, their order may differ. */
function* compareMembers(
  path: readonly string[],
  before: object = {},
  after: object = {},
): Generator<Difference> {
  const [from, to] = [before, after].map((value) => new Map<string, unknown>(Object.entries(value)));
  const names = [...new Set([...(from?.keys() ?? []), ...(to?.keys() ?? [])])];
  const differences = names.flatMap((name) => [...compare([...path, name], from?.get(name), to?.get(name))]);
  yield* differences;
  const order = { from: [...(from?.keys() ?? [])], to: [...(to?.keys() ?? [])] };
  if (differences.length === 0 && !isDeepStrictEqual(order.from, order.to)) {
    yield { path: [...path, "order"], ...order };
  }
}

function* compare(path: readonly string[], from: unknown, to: unknown): Generator<Difference> {
  const areLists = path.length === 1 && (isMap(from) || isMap(to));
  if (areLists || (isMap(from) && isMap(to))) yield* compareMembers(path, from ?? {}, to ?? {});
  else if (!isDeepStrictEqual(from, to))
    yield { path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function namesOf(environments: readonly string[] = []): object {
  return Object.fromEntries(environments.map((name) => [name, {}]));
}

function ofFeature({ project, tags, environments }: WantedFeature): object {
  return {
    project,
    tags: Object.fromEntries(tags.map((tag) => [formatTags([tag]), {}])),
    environments: Object.fromEntries(
      [...environments].map(([environment, variants]) => {
        const byName = variants.map(inOrder).map(({ name, ...rest }) => [name, rest]);
        return [environment, Object.fromEntries(byName)];
      }),
    ),
  };
}

function ofKey({ name, permissions, expiresAt, retiredAt, disabled }: NewApiKey): object {
  const state = { expiresAt, retiredAt, disabled: disabled || undefined };
  return { name, permissions: permissions.map(formatPermit), ...state };
}
