/** Finds the differences between two projects, features or API keys, each by its path. */
import { isDeepStrictEqual } from "node:util";
import type { EnvironmentContent } from "../../../../../lib/features/model.ts";
import { parseTargeting } from "../../../../../lib/features/model.ts";
import { withoutId } from "../../../../../lib/features/patch/strategies-by-id.ts";
import { formatTags } from "../../../../cli/output.ts";
import { type ApiKeyContent, type FeatureContent, inOrder } from "../../../../store/content.ts";
import { formatPermission } from "../../words/permissions.ts";

export interface Difference {
  /** The names on the way to the member, such as environments, production, variants, blue, weight. */
  path: readonly string[];
  /** Absent if the member is added. */
  from?: unknown;
  /** Absent if the member is removed. */
  to?: unknown;
}

/** A project (its environments), a feature or an API key. */
export type ComparedContent = readonly string[] | FeatureContent | ApiKeyContent;

/** The members of an environment that nothing was given for. */
const emptyEnvironment = { enabled: false, variants: {} };

export function differencesOf(before: ComparedContent | undefined, after: ComparedContent): Difference[] {
  return [...findDifferences([], membersOf(before), membersOf(after))];
}

export function formatDifference({ path, from, to }: Difference): string {
  const place = path.join("/");
  if (to === undefined) return `- ${place}`;
  if (from !== undefined) return `~ ${place}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`;
  const isEmpty = [{}, emptyEnvironment].some((empty) => isDeepStrictEqual(to, empty));
  return `+ ${place}${isEmpty ? "" : `: ${JSON.stringify(to)}`}`;
}

function* findDifferences(path: readonly string[], from: unknown, to: unknown): Generator<Difference> {
  // Each tag and each environment is a difference of its own, even if there were none before.
  const isWhole = path.length < 2 ? !isObject(from) && !isObject(to) : !isObject(from) || !isObject(to);
  if (isWhole) {
    if (!isDeepStrictEqual(from, to)) yield { path, from: toPlain(from), to: toPlain(to) };
    return;
  }
  const [before, after] = [entriesOf(from), entriesOf(to)];
  const names = { from: [...before.keys()], to: [...after.keys()] };
  const differences = [...new Set([...names.from, ...names.to])].flatMap((name) => [
    ...findDifferences([...path, name], before.get(name), after.get(name)),
  ]);
  yield* differences;
  const isReordered = from !== undefined && !isDeepStrictEqual(names.from, names.to);
  if (differences.length === 0 && isReordered) {
    yield { path: [...path, "order"], ...names };
  }
}

/** Lists whose order counts are maps: an object would have names such as "10" first, and in another order. */
function entriesOf(value: unknown): Map<string, unknown> {
  return value instanceof Map ? value : new Map(Object.entries(value ?? {}));
}

function toPlain(value: unknown): unknown {
  return isObject(value)
    ? Object.fromEntries([...entriesOf(value)].map(([name, member]) => [name, toPlain(member)]))
    : value;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function membersOf(subject: ComparedContent | undefined): object | undefined {
  if (!subject) return undefined;
  if ("keyHash" in subject) return ofKey(subject);
  if ("tags" in subject) return ofFeature(subject);
  return { environments: new Map(subject.map((name) => [name, {}])) };
}

function ofFeature({ project, tags, environments }: FeatureContent): object {
  const contents = [...environments].map(
    ([environment, content]) => [environment, ofEnvironment(content)] as const,
  );
  return {
    project,
    tags: Object.fromEntries(tags.map((tag) => [formatTags([tag]), {}])),
    environments: new Map(contents),
  };
}

function ofEnvironment(content: EnvironmentContent): object {
  const { enabled, variants, strategies, dependencies, targeting, ...others } = content;
  others satisfies Record<string, never>;
  const byName = variants.map(inOrder).map(({ name, ...rest }) => [name, rest] as const);
  const byId = strategies.map(inOrder).map((one) => [one.id, withoutId(one)] as const);
  return {
    enabled,
    variants: new Map(byName),
    ...(byId.length > 0 && { strategies: new Map(byId) }),
    ...(dependencies.length > 0 && { dependencies: dependencies.map(inOrder) }),
    ...(targeting !== null && { targeting: parseTargeting(targeting) }),
  };
}

function ofKey({ name, permissions, expiresAt, retiredAt, disabled }: ApiKeyContent): object {
  const state = { expiresAt, retiredAt, disabled: disabled || undefined };
  return { name, permissions: permissions.map(formatPermission), ...state };
}
