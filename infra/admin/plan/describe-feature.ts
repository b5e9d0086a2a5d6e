/** Lists the differences between two versions of a feature. */
import { isDeepStrictEqual } from "node:util";
import type { Tag } from "../../../lib/contract/tags.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { tagMember } from "../../../lib/store/items.ts";
import type { WholeFeature } from "../../store/stored.ts";

/** `where` is the environment. */
export type FeatureDifference =
  | { what: "project"; from: string | null; to: string }
  | { what: "tag"; from: Tag | null; to: Tag | null }
  | { what: "environment"; where: string; from: readonly Variant[] | null; to: readonly Variant[] | null }
  | { what: "variant"; where: string; from: Variant | null; to: Variant | null }
  | { what: "variant order"; where: string; from: readonly string[]; to: readonly string[] }
  | { what: "environment order"; from: readonly string[]; to: readonly string[] };

type Lists = WholeFeature["environments"];

export function featureDifferences(
  before: WholeFeature | undefined,
  after: WholeFeature | undefined,
): FeatureDifference[] {
  if (!after) return [];
  const isMoved = before?.project !== after.project;
  return [
    ...(isMoved ? [{ what: "project", from: before?.project ?? null, to: after.project } as const] : []),
    ...tagDifferences(before?.tags ?? [], after.tags),
    ...environmentDifferences(before?.environments ?? new Map(), after.environments),
  ];
}

function tagDifferences(before: WholeFeature["tags"], after: WholeFeature["tags"]): FeatureDifference[] {
  const without = (some: WholeFeature["tags"], others: WholeFeature["tags"]) => {
    const known = new Set(others.map(tagMember));
    return some.filter((tag) => !known.has(tagMember(tag)));
  };
  return [
    ...without(after, before).map((tag) => ({ what: "tag", from: null, to: tag }) as const),
    ...without(before, after).map((tag) => ({ what: "tag", from: tag, to: null }) as const),
  ];
}

function environmentDifferences(before: Lists, after: Lists): FeatureDifference[] {
  const added = [...after].filter(([name]) => !before.has(name));
  const removed = [...before].filter(([name]) => !after.has(name));
  const orders = { from: [...before.keys()], to: [...after.keys()] };
  const isReordered =
    added.length === 0 &&
    removed.length === 0 &&
    before.size > 0 &&
    !isDeepStrictEqual(orders.from, orders.to);
  return [
    ...added.map(([where, to]) => ({ what: "environment", where, from: null, to }) as const),
    ...removed.map(([where, from]) => ({ what: "environment", where, from, to: null }) as const),
    ...[...after].flatMap(([name, variants]) =>
      variantDifferences(name, before.get(name) ?? variants, variants),
    ),
    ...(isReordered ? [{ what: "environment order", ...orders } as const] : []),
  ];
}

function variantDifferences(
  where: string,
  before: readonly Variant[],
  after: readonly Variant[],
): FeatureDifference[] {
  if (isDeepStrictEqual(before, after)) return [];
  const find = (variants: readonly Variant[], name: string) =>
    variants.find((one) => one.name === name) ?? null;
  const changed = after.filter((to) => !isDeepStrictEqual(find(before, to.name), to));
  const removed = before.filter(({ name }) => !find(after, name));
  const found = [
    ...changed.map((to) => ({ what: "variant", where, from: find(before, to.name), to }) as const),
    ...removed.map((from) => ({ what: "variant", where, from, to: null }) as const),
  ];
  const names = (variants: readonly Variant[]) => variants.map(({ name }) => name);
  return found.length > 0
    ? found
    : [{ what: "variant order", where, from: names(before), to: names(after) } as const];
}
