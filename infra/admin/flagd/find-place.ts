/** Finds where a flag's targeting decides by weights alone: the place that Burgee's variants can have in it. */
import { weightTotal } from "../../../lib/contract/variants.ts";
import type { Flag } from "../../../lib/documents/flagd.ts";
import { marker, type Operation } from "../../../lib/documents/flagd-targeting.ts";

export interface WeightsPlace {
  /** Its path within the targeting; of a marked rule, that of the rule. */
  path: readonly (string | number)[];
  /** Weights by variant, in the order of the buckets; they sum to 1000. */
  weights: ReadonlyMap<string, number>;
  stickiness: string;
  isRounded?: boolean;
  /** Whether Burgee's mark is on it. */
  isMarked?: boolean;
}

type Path = WeightsPlace["path"];

/**
 * The only `fractional`, or what is chosen where no condition holds: the last result of an `if`, or the default variant.
 * Undefined if there is neither.
 */
export function findPlace(
  name: string,
  { variants, defaultVariant, targeting }: Flag,
): WeightsPlace | undefined {
  const known = new Set(Object.keys(variants));
  const always = (variant: unknown, path: Path): WeightsPlace | undefined => {
    if (typeof variant !== "string" || !known.has(variant)) return undefined;
    return { path, weights: new Map([[variant, weightTotal]]), stickiness: "default" };
  };
  const operations = [...operationsIn(targeting)];
  const [spread, ...others] = operations.flatMap(({ path, operation: { fractional } }) =>
    Array.isArray(fractional) ? [{ path, fractional }] : [],
  );
  const only = spread && others.length === 0 ? toSpread(spread.fractional, spread.path, known) : undefined;
  const marked = operations.find(({ operation }) => isMarked(operation, name));
  if (marked) {
    const [, served] = marked.operation.if as unknown[];
    const place = only ?? always(served, marked.path);
    return place && { ...place, path: marked.path, isMarked: true };
  }
  if (only) return only;
  const isAbsent = !targeting || (typeof targeting === "object" && Object.keys(targeting).length === 0);
  if (isAbsent) return always(defaultVariant, []);
  const last = lastResult(targeting, []);
  return last && always(last.value ?? defaultVariant, last.path);
}

export function replaceAt(logic: unknown, [step, ...rest]: Path, rule: Operation): unknown {
  if (step === undefined) return rule;
  if (Array.isArray(logic)) {
    const copy = [...logic];
    copy[Number(step)] = replaceAt(logic[Number(step)], rest, rule);
    return copy;
  }
  const operation = logic as Operation;
  return { ...operation, [step]: replaceAt(operation[step], rest, rule) };
}

function* operationsIn(logic: unknown, path: Path = []): Generator<{ path: Path; operation: Operation }> {
  if (typeof logic !== "object" || logic === null) return;
  if (!Array.isArray(logic)) yield { path, operation: logic as Operation };
  for (const [step, one] of Object.entries(logic)) yield* operationsIn(one, [...path, step]);
}

function isMarked({ if: branches }: Operation, name: string): boolean {
  return Array.isArray(branches) && branches[0] === marker(name);
}

/** Its value is undefined where none of the conditions of an `if` has to hold. */
function lastResult(logic: unknown, path: Path): { path: Path; value?: unknown } | undefined {
  if (typeof logic !== "object" || logic === null) return { path, value: logic };
  const { if: branches } = logic as Operation;
  if (!Array.isArray(branches) || branches.length < 2) return undefined;
  const { length } = branches;
  if (length % 2 === 0) return { path: [...path, "if", length] };
  return lastResult(branches[length - 1], [...path, "if", length - 1]);
}

/**
 * Undefined if a bucket is no variant with a plain weight, names a variant twice, or would round to 0, or if the seed is one
 * that Burgee would not write.
 */
function toSpread(
  fractional: readonly unknown[],
  path: Path,
  known: ReadonlySet<string>,
): WeightsPlace | undefined {
  const [first, ...more] = fractional;
  const stickiness = Array.isArray(first) ? "default" : attributeOf(first);
  if (stickiness === undefined) return undefined;
  const buckets = (Array.isArray(first) ? fractional : more).map(toBucket);
  const total = buckets.reduce((sum, bucket) => sum + (bucket?.weight ?? 0), 0);
  const toThousandths = (weight: number) => (weight * weightTotal) / total;
  const weights = new Map<string, number>();
  let [sum, isRounded] = [0, false];
  for (const bucket of buckets) {
    if (!bucket || !known.has(bucket.name) || weights.has(bucket.name)) return undefined;
    const start = toThousandths(sum);
    sum += bucket.weight;
    const weight = Math.round(toThousandths(sum)) - Math.round(start);
    if (weight === 0 && bucket.weight > 0) return undefined;
    isRounded ||= !Number.isInteger(toThousandths(sum));
    weights.set(bucket.name, weight);
  }
  return total > 0 ? { path, weights, stickiness, isRounded } : undefined;
}

/** A bucket without a weight has 1. */
function toBucket(given: unknown): { name: string; weight: number } | undefined {
  if (!Array.isArray(given) || given.length > 2) return undefined;
  const [name, weight = 1] = given;
  const isPlain = typeof name === "string" && Number.isInteger(weight) && weight >= 0;
  return isPlain ? { name, weight } : undefined;
}

/** Of the seed that Burgee makes too: the flag's name and an attribute. By another one, users would get other variants. */
function attributeOf(seed: unknown): string | undefined {
  const { cat } = (seed ?? {}) as Operation;
  const [flag, attribute, ...others] = Array.isArray(cat) ? cat : [];
  const isOfFlag = flag?.var === "$flagd.flagKey" && others.length === 0;
  const name = attribute?.var;
  const isName = typeof name === "string" && !["", "default", "random"].includes(name);
  return isOfFlag && isName ? name : undefined;
}
