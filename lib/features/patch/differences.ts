/** The difference between two states of an environment: a JSON Patch of the environment, for a person to read or send again. */
import { isDeepStrictEqual } from "node:util";
import { formatPointer } from "../../contract/json-pointer.ts";
import type { DifferenceOperation } from "../../contract/responses.ts";
import type { Strategy } from "../../contract/strategies.ts";
import { type Aspect, changedAspects, type EnvironmentContent } from "../model.ts";
import { parseTargeting } from "./environment-form.ts";
import { withoutId } from "./strategy-form.ts";
import { variantsByName, withoutName } from "./variant-form.ts";

/** Sent again as a patch of the environment, it makes the change again. */
export function contentDifference(
  before: EnvironmentContent,
  after: EnvironmentContent,
): DifferenceOperation[] {
  return changedAspects(before, after).flatMap((aspect) => differenceOf[aspect](before, after, `/${aspect}`));
}

type Difference = (
  before: EnvironmentContent,
  after: EnvironmentContent,
  path: string,
) => DifferenceOperation[];

const differenceOf: Readonly<Record<Aspect, Difference>> = {
  enabled: (before, after, path) => [replacement(path, before.enabled, after.enabled)],
  variants: (before, after, path) => variantDifference(before.variants, after.variants, path),
  strategies: (before, after, path) => strategyDifference(before.strategies, after.strategies, path),
  dependencies: (before, after, path) =>
    ofMember(noneIfEmpty(before.dependencies), noneIfEmpty(after.dependencies), path),
  targeting: (before, after, path) =>
    ofMember(parseTargeting(before.targeting), parseTargeting(after.targeting), path),
};

/** Of a member that the environment may have none of. */
function ofMember(before: unknown, after: unknown, path: string): DifferenceOperation[] {
  if (after === null) return [{ op: "remove", path }];
  return [before === null ? { op: "add", path, value: after } : replacement(path, before, after)];
}

/** Has what was there where a sentence can say it: "from 10 % to 25 %". A patch ignores the member. */
function replacement(path: string, was: unknown, value: unknown): DifferenceOperation {
  return { op: "replace", path, value, ...(Object(was) !== was && { was }) };
}

function noneIfEmpty<One>(list: readonly One[]): readonly One[] | null {
  return list.length > 0 ? list : null;
}

function strategyDifference(before: readonly Strategy[], after: readonly Strategy[], path: string) {
  return keyedDifference(before, after, path, {
    keyOf: ({ id }) => id,
    toValue: withoutId,
    compare: (old, one, at) => [
      ...ofMembers(withoutMaps(old), withoutMaps(one), at),
      ...ofMembers(old.parameters, one.parameters, `${at}/parameters`),
      ...strategyVariantDifference(old.variants, one.variants, `${at}/variants`),
    ],
  });
}

function withoutMaps({ parameters: _, variants: __, ...rest }: Strategy) {
  return rest;
}

interface Named {
  name: string;
}

/** SDKs choose by the order of the list: where its members changed places, the list is replaced as a whole. */
function variantDifference(before: readonly Named[], after: readonly Named[], path: string) {
  return hasReordered(before, after)
    ? replaced(after, path)
    : keyedDifference(before, after, path, namedMembers);
}

/** A patch by name puts new variants at the end: where one is elsewhere, the list is replaced too. */
function strategyVariantDifference(before: readonly Named[], after: readonly Named[], path: string) {
  const known = new Set(before.map(({ name }) => name));
  const firstNew = after.findIndex(({ name }) => !known.has(name));
  const isAppended = firstNew < 0 || after.slice(firstNew).every(({ name }) => !known.has(name));
  return isAppended ? variantDifference(before, after, path) : replaced(after, path);
}

function hasReordered(before: readonly Named[], after: readonly Named[]): boolean {
  const namesOf = (list: readonly Named[]) => list.map(({ name }) => name);
  const common = (list: readonly Named[], others: readonly Named[]) => {
    const names = new Set(namesOf(others));
    return namesOf(list).filter((name) => names.has(name));
  };
  return !isDeepStrictEqual(common(before, after), common(after, before));
}

function replaced(after: readonly Named[], path: string): DifferenceOperation[] {
  return [{ op: "replace", path, value: variantsByName(after) }];
}

const namedMembers: Keyed<Named> = { keyOf: ({ name }) => name, toValue: withoutName, compare: ofMembers };

interface Keyed<One> {
  keyOf: (one: One) => string;
  toValue: (one: One) => unknown;
  compare: (before: One, after: One, path: string) => DifferenceOperation[];
}

function keyedDifference<One>(
  before: readonly One[],
  after: readonly One[],
  at: string,
  { keyOf, toValue, compare }: Keyed<One>,
): DifferenceOperation[] {
  const oldByKey = new Map(before.map((one) => [keyOf(one), one]));
  const keysAfter = new Set(after.map(keyOf));
  return [
    ...[...oldByKey.keys()]
      .filter((key) => !keysAfter.has(key))
      .map((key) => ({ op: "remove" as const, path: at + formatPointer([key]) })),
    ...after.flatMap((one): DifferenceOperation[] => {
      const path = at + formatPointer([keyOf(one)]);
      const old = oldByKey.get(keyOf(one));
      return old ? compare(old, one, path) : [{ op: "add", path, value: toValue(one) }];
    }),
  ];
}

/** A member is replaced as a whole: it is short, and reads better than its parts. */
function ofMembers(before: object, after: object, path: string): DifferenceOperation[] {
  const old = new Map<string, unknown>(Object.entries(before));
  const removed = [...old.keys()].filter((member) => !Object.hasOwn(after, member));
  return [
    ...removed.map((member) => ({ op: "remove" as const, path: path + formatPointer([member]) })),
    ...Object.entries(after)
      .filter(([member, value]) => !isDeepStrictEqual(value, old.get(member)))
      .map(([member, value]): DifferenceOperation => {
        const at = path + formatPointer([member]);
        return old.has(member) ? replacement(at, old.get(member), value) : { op: "add", path: at, value };
      }),
  ];
}
