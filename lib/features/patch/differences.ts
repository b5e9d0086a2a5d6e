/**
 * The difference between two states of an environment: a JSON Patch of the environment, for a person to read or send
 * again.
 */
import { isDeepStrictEqual } from "node:util";
import { formatPointer } from "../../contract/json.ts";
import type { DifferenceOperation } from "../../contract/responses/members.ts";
import type { Strategy } from "../../contract/strategies.ts";
import { type Aspect, differingAspects, type EnvironmentContent, parseTargeting } from "../model.ts";
import { withoutId } from "./strategies-by-id.ts";
import { type Named, variantsByName, withoutName } from "./variant-list.ts";

/**
 * Returns a patch that turns the tree of `before` into that of `after`, with two exceptions: applying it normalises the
 * weights that an import has stored, and keeps the order of a strategy's variants if one has a whole number as its name.
 */
export function contentDifference(
  before: EnvironmentContent,
  after: EnvironmentContent,
): DifferenceOperation[] {
  return differingAspects(before, after).flatMap((aspect) =>
    differenceOf[aspect](before, after, `/${aspect}`),
  );
}

type CompareAspect = (
  before: EnvironmentContent,
  after: EnvironmentContent,
  path: string,
) => DifferenceOperation[];

const differenceOf: Readonly<Record<Aspect, CompareAspect>> = {
  enabled: (before, after, path) => [replaceOperation(path, before.enabled, after.enabled)],
  variants: (before, after, path) => variantDifference(before.variants, after.variants, path),
  strategies: (before, after, path) => strategyDifference(before.strategies, after.strategies, path),
  dependencies: (before, after, path) =>
    optionalMemberDifference(nullIfEmpty(before.dependencies), nullIfEmpty(after.dependencies), path),
  targeting: (before, after, path) =>
    optionalMemberDifference(parseTargeting(before.targeting), parseTargeting(after.targeting), path),
};

/** Compares a member that is absent from the tree where the value is null. */
function optionalMemberDifference(before: unknown, after: unknown, path: string): DifferenceOperation[] {
  if (after === null) return [{ op: "remove", path }];
  return [before === null ? { op: "add", path, value: after } : replaceOperation(path, before, after)];
}

/**
 * Adds the old value as `was`, unless it is an object, for sentences such as "from 10 % to 25 %". A patch ignores
 * `was`.
 */
function replaceOperation(path: string, was: unknown, value: unknown): DifferenceOperation {
  return { op: "replace", path, value, ...(Object(was) !== was && { was }) };
}

function nullIfEmpty<Element>(list: readonly Element[]): readonly Element[] | null {
  return list.length > 0 ? list : null;
}

function strategyDifference(before: readonly Strategy[], after: readonly Strategy[], path: string) {
  return elementDifference(before, after, path, {
    nameOf: ({ id }) => id,
    toValue: withoutId,
    compare: (before, after, path) => [
      ...memberDifference(withoutParametersAndVariants(before), withoutParametersAndVariants(after), path),
      ...memberDifference(before.parameters, after.parameters, `${path}/parameters`),
      ...strategyVariantDifference(before.variants, after.variants, `${path}/variants`),
    ],
  });
}

function withoutParametersAndVariants({ parameters: _, variants: __, ...rest }: Strategy) {
  return rest;
}

/** SDKs choose by the order of the list: where its members changed places, the list is replaced as a whole. */
function variantDifference(before: readonly Named[], after: readonly Named[], path: string) {
  return hasReordered(before, after)
    ? replaceVariants(after, path)
    : elementDifference(before, after, path, {
        nameOf: ({ name }) => name,
        toValue: withoutName,
        compare: memberDifference,
      });
}

/** A patch by name puts new variants at the end: where one is elsewhere, the list is replaced too. */
function strategyVariantDifference(before: readonly Named[], after: readonly Named[], path: string) {
  const known = new Set(before.map(({ name }) => name));
  const firstNew = after.findIndex(({ name }) => !known.has(name));
  const isAppended = firstNew < 0 || after.slice(firstNew).every(({ name }) => !known.has(name));
  return isAppended ? variantDifference(before, after, path) : replaceVariants(after, path);
}

function hasReordered(before: readonly Named[], after: readonly Named[]): boolean {
  const namesOf = (list: readonly Named[]) => list.map(({ name }) => name);
  const common = (list: readonly Named[], others: readonly Named[]) => {
    const names = new Set(namesOf(others));
    return namesOf(list).filter((name) => names.has(name));
  };
  return !isDeepStrictEqual(common(before, after), common(after, before));
}

function replaceVariants(after: readonly Named[], path: string): DifferenceOperation[] {
  return [{ op: "replace", path, value: variantsByName(after) }];
}

/** What `elementDifference` needs of elements: those of a list that the tree has by name, or the members of an object. */
interface ElementFunctions<Element> {
  nameOf: (element: Element) => string;
  toValue: (element: Element) => unknown;
  /** Compares two of one name that differ. */
  compare: (before: Element, after: Element, path: string) => DifferenceOperation[];
}

function elementDifference<Element>(
  before: readonly Element[],
  after: readonly Element[],
  path: string,
  { nameOf, toValue, compare }: ElementFunctions<Element>,
): DifferenceOperation[] {
  const known = new Map(before.map((element) => [nameOf(element), element]));
  const namesAfter = new Set(after.map(nameOf));
  const pathOf = (name: string) => path + formatPointer([name]);
  const removed = [...known.keys()].filter((name) => !namesAfter.has(name));
  return [
    ...removed.map((name) => ({ op: "remove" as const, path: pathOf(name) })),
    ...after.flatMap((element): DifferenceOperation[] => {
      const name = nameOf(element);
      const old = known.get(name);
      if (!old) return [{ op: "add", path: pathOf(name), value: toValue(element) }];
      return isDeepStrictEqual(old, element) ? [] : compare(old, element, pathOf(name));
    }),
  ];
}

/** A member is replaced as a whole: operations on its parts would be harder to read. */
function memberDifference(before: object, after: object, path: string): DifferenceOperation[] {
  return elementDifference<[string, unknown]>(Object.entries(before), Object.entries(after), path, {
    nameOf: ([member]) => member,
    toValue: ([, value]) => value,
    compare: ([, was], [, value], path) => [replaceOperation(path, was, value)],
  });
}
