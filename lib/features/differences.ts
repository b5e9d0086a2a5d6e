/** The JSON Patch between two lists of variants, by name, or between all that an environment has, for a person to read. */
import { isDeepStrictEqual } from "node:util";
import { formatPointer } from "../contract/json-pointer.ts";
import type { DifferenceOperation } from "../contract/responses.ts";
import type { Strategy } from "../contract/strategies.ts";
import { parseTargeting, withoutId } from "./environment-form.ts";
import { type Aspect, aspects, type EnvironmentContent } from "./model.ts";
import { withoutName } from "./variant-form.ts";

export function variantDifference<One extends { name: string }>(
  before: readonly One[],
  after: readonly One[],
): DifferenceOperation[] {
  return keyedDifference(before, after, {
    keyOf: ({ name }) => name,
    toValue: withoutName,
    compare: ofMembers,
  });
}

/** It makes the change again, as a patch of the environment. */
export function contentDifference(
  before: EnvironmentContent,
  after: EnvironmentContent,
): DifferenceOperation[] {
  return aspects
    .filter((aspect) => !isDeepStrictEqual(before[aspect], after[aspect]))
    .flatMap((aspect) => differenceOf[aspect](before, after, `/${aspect}`));
}

type Difference = (
  before: EnvironmentContent,
  after: EnvironmentContent,
  path: string,
) => DifferenceOperation[];

const differenceOf: Readonly<Record<Aspect, Difference>> = {
  enabled: (_, { enabled: value }, path) => [{ op: "replace", path, value }],
  variants: (before, after, path) => within(path, variantDifference(before.variants, after.variants)),
  strategies: (before, after, path) => within(path, strategyDifference(before.strategies, after.strategies)),
  targeting: (_, { targeting }, path) => [{ op: "replace", path, value: parseTargeting(targeting) }],
};

function strategyDifference(before: readonly Strategy[], after: readonly Strategy[]): DifferenceOperation[] {
  return keyedDifference(before, after, {
    keyOf: ({ id }) => id,
    toValue: withoutId,
    compare: ({ variants: had, ...old }, { variants, ...rest }, path) => [
      ...ofMembers(old, rest, path),
      ...within(`${path}/variants`, variantDifference(had, variants)),
    ],
  });
}

interface Keyed<One> {
  keyOf: (one: One) => string;
  toValue: (one: One) => unknown;
  compare: (before: One, after: One, path: string) => DifferenceOperation[];
}

function keyedDifference<One>(
  before: readonly One[],
  after: readonly One[],
  { keyOf, toValue, compare }: Keyed<One>,
): DifferenceOperation[] {
  const had = new Map(before.map((one) => [keyOf(one), one]));
  const has = new Set(after.map(keyOf));
  return [
    ...[...had.keys()]
      .filter((key) => !has.has(key))
      .map((key) => ({ op: "remove" as const, path: formatPointer([key]) })),
    ...after.flatMap((one): DifferenceOperation[] => {
      const path = formatPointer([keyOf(one)]);
      const old = had.get(keyOf(one));
      return old ? compare(old, one, path) : [{ op: "add", path, value: toValue(one) }];
    }),
  ];
}

/** A member is replaced as a whole: it is short, and reads better than its parts. */
function ofMembers(before: object, after: object, path: string): DifferenceOperation[] {
  const had = new Map<string, unknown>(Object.entries(before));
  const removed = [...had.keys()].filter((member) => !Object.hasOwn(after, member));
  return [
    ...removed.map((member) => ({ op: "remove" as const, path: `${path}/${member}` })),
    ...Object.entries(after)
      .filter(([member, value]) => !isDeepStrictEqual(value, had.get(member)))
      .map(([member, value]) => ({
        op: had.has(member) ? ("replace" as const) : ("add" as const),
        path: `${path}/${member}`,
        value,
      })),
  ];
}

function within(path: string, operations: readonly DifferenceOperation[]): DifferenceOperation[] {
  return operations.map((one) => ({ ...one, path: path + one.path }));
}
