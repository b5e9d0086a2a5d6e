/** What is different about a feature, a line each. */
import { isDeepStrictEqual } from "node:util";
import type { Variant } from "../../../lib/contract/variants.ts";
import { tagMember } from "../../../lib/store/items.ts";
import type { WholeFeature } from "../../store/stored.ts";

type Lists = WholeFeature["environments"];

export function featureDifferences(
  before: WholeFeature | undefined,
  after: WholeFeature | undefined,
): string[] {
  if (!after) return [];
  const isMoved = before?.project !== after.project;
  const was = before && isMoved ? `"${before.project}" -> ` : "";
  return [
    ...(isMoved ? [`project: ${was}"${after.project}"`] : []),
    ...tagDifferences(before?.tags ?? [], after.tags),
    ...environmentDifferences(before?.environments ?? new Map(), after.environments),
  ];
}

function tagDifferences(before: WholeFeature["tags"], after: WholeFeature["tags"]): string[] {
  const lines = (sign: string, some: WholeFeature["tags"], others: WholeFeature["tags"]) => {
    const known = new Set(others.map(tagMember));
    return some
      .filter((tag) => !known.has(tagMember(tag)))
      .map(({ type, value }) => `${sign} tag "${type}:${value}"`);
  };
  return [...lines("+", after, before), ...lines("-", before, after)];
}

function environmentDifferences(before: Lists, after: Lists): string[] {
  const added = [...after].filter(([name]) => !before.has(name));
  const removed = [...before.keys()].filter((name) => !after.has(name));
  const changed = [...after].filter(([name, variants]) => {
    const were = before.get(name);
    return were && !isDeepStrictEqual(were, variants);
  });
  const isReordered = added.length === 0 && removed.length === 0 && before.size > 0;
  const order = [...after.keys()];
  return [
    ...added.map(([name, variants]) => `+ environment "${name}": ${variantsOf(variants)}`),
    ...removed.map((name) => `- environment "${name}"`),
    ...changed.map(
      ([name, variants]) =>
        `~ environment "${name}": ${variantDifferences(before.get(name) ?? [], variants)}`,
    ),
    ...(isReordered && !isDeepStrictEqual([...before.keys()], order) ? [`order: ${order.join(", ")}`] : []),
  ];
}

function variantsOf(variants: readonly Variant[]): string {
  return variants.length === 0
    ? "no variants"
    : variants.map(({ name, weight }) => `${name} ${weight}`).join(", ");
}

function variantDifferences(before: readonly Variant[], after: readonly Variant[]): string {
  const find = (variants: readonly Variant[], name: string) => variants.find((one) => one.name === name);
  const removed = before.filter(({ name }) => !find(after, name)).map(({ name }) => `- ${name}`);
  const others = after.flatMap((variant) => {
    const was = find(before, variant.name);
    if (!was) return [`+ ${variant.name} ${variant.weight}`];
    if (isDeepStrictEqual(was, variant)) return [];
    const weights = was.weight === variant.weight ? "" : ` ${was.weight} -> ${variant.weight}`;
    return [`~ ${variant.name}${weights}`];
  });
  const differences = [...others, ...removed];
  return differences.length === 0 ? "another order of its variants" : differences.join(", ");
}
