/** Turns what an environment has into the tree that a patch of it applies to, and back. */
import { isDeepStrictEqual } from "node:util";
import { ValidationError } from "../../contract/errors.ts";
import { findExcess, validateBuilt } from "../../contract/json-bounds.ts";
import { limits } from "../../contract/limits.ts";
import type {
  FeatureEnvironment,
  FeatureEnvironmentByName,
  PatchedEnvironment,
} from "../../contract/responses/features.ts";
import {
  dependenciesSchema,
  type Strategy,
  strategySchema,
  type Targeting,
  targetingSchema,
} from "../../contract/strategies.ts";
import { type Issue, summarise, toIssue, type Validated, validate, within } from "../../contract/validate.ts";
import type { VariantForm } from "../../contract/variants.ts";
import { type Aspect, aspects, type EnvironmentContent, mapAspects } from "../model.ts";
import { isObject, type Json } from "./json.ts";
import { completeStrategies, parseStrategiesById, strategiesById } from "./strategies-by-id.ts";
import { parseVariants, variantsInForm } from "./variant-form.ts";
import { normalise } from "./variant-list.ts";

/**
 * Makes `{ enabled, variants: { by name }, strategies: { by id, with variants by name }, dependencies?, targeting? }`.
 */
export function toTree(content: EnvironmentContent): EnvironmentTree {
  const members = aspects.flatMap((aspect) => {
    const member = memberOf(aspect, content);
    return member === undefined ? [] : [[aspect, member] as const];
  });
  return Object.fromEntries(members) as EnvironmentTree;
}

/** The compiler requires each aspect in the schemas of responses. */
export type EnvironmentTree = Pick<PatchedEnvironment, Aspect>;

const memberOf = <A extends Aspect>(aspect: A, content: EnvironmentContent) =>
  aspectCodecs[aspect].toMember(content[aspect]);

interface AspectCodec<Value> {
  /** Returns undefined if the tree has no such member. */
  toMember(value: Value): unknown;
  /** Validates the member; `given` is undefined if the tree has none. */
  parse(given: Json | undefined, before: Value): Validated<Value>;
  /** Whether the order of the value's members matters. */
  isOrdered?: true;
  /** Completes what was patched, such as its weights. */
  complete(parsed: Value, before: Value): Value;
}

const asParsed = <Value>(parsed: Value) => parsed;

const aspectCodecs: { readonly [A in Aspect]: AspectCodec<EnvironmentContent[A]> } = {
  enabled: {
    toMember: (enabled) => enabled,
    parse: (given) =>
      typeof given === "boolean" ? { value: given } : { issues: [toIssue([], "must be true or false")] },
    complete: asParsed,
  },
  variants: {
    toMember: (variants) => variantsInForm(variants, "name"),
    parse: (given = null) => parseVariants(given, "name"),
    complete: normalise,
  },
  strategies: {
    toMember: strategiesById,
    parse: (given = null, before) => parseStrategiesById(given, before),
    // SDKs give out the shares of a strategy's variants in their order.
    isOrdered: true,
    complete: completeStrategies,
  },
  dependencies: {
    toMember: (dependencies) => (dependencies.length > 0 ? dependencies : undefined),
    parse: (given) => validate(dependenciesSchema, given ?? []),
    complete: asParsed,
  },
  targeting: {
    toMember: (targeting) => parseTargeting(targeting) ?? undefined,
    isOrdered: true,
    parse: (given) => {
      if (given === undefined || given === null) return { value: null };
      const { value, issues } = validate(targetingSchema, given);
      return issues ? { issues } : { value: formatTargeting(value) };
    },
    complete: asParsed,
  },
};

/** Returns the tree as patches apply to it, or with variants and strategies as lists, as Unleash has them. */
export function treeInForm(
  content: EnvironmentContent,
  form: VariantForm,
): Pick<FeatureEnvironment, Aspect> | Pick<FeatureEnvironmentByName, Aspect> {
  const tree = toTree(content);
  return form === "name" ? tree : { ...tree, variants: content.variants, strategies: content.strategies };
}

export function parseTargeting(text: string | null): Targeting | null {
  return text === null ? null : JSON.parse(text);
}

export function formatTargeting(targeting: Targeting | null): string | null {
  return targeting === null ? null : JSON.stringify(targeting);
}

interface ParsedTree {
  /** The aspects that the patch changed, as it left them, before they are completed. */
  patched: Partial<EnvironmentContent>;
  content: EnvironmentContent;
}

/**
 * Validates a patched tree, and takes an environment from it. What the patch left as it was stays exactly so: an import
 * may have stored weights that a patch would not leave.
 */
export function parseTree(tree: Json, before: EnvironmentContent): ParsedTree {
  requireBounds(tree);
  if (!isObject(tree)) throw invalidTree([toIssue([], "must be an object")]);
  const issues = Object.keys(tree)
    .filter((member) => !Object.hasOwn(aspectCodecs, member))
    .map((member) => toIssue([member], `is not a known member; ${adviceFor(member)}`));
  const treeBefore = toTree(before);
  const parsed = new Map<Aspect, unknown>();
  for (const aspect of aspects) {
    if (isSameMember(tree[aspect], treeBefore[aspect], aspectCodecs[aspect])) continue;
    const { value, issues: memberIssues } = parseMember(aspect, tree[aspect], before);
    if (memberIssues) issues.push(...within(aspect, memberIssues));
    else parsed.set(aspect, value);
  }
  if (issues.length > 0) throw invalidTree(issues);
  const patched: Partial<EnvironmentContent> = Object.fromEntries(parsed);
  return {
    patched,
    content: mapAspects((aspect) => completeAspect(aspect, patched[aspect], before[aspect])),
  };
}

/** Says how to patch a member that an environment lacks. */
export function adviceFor(name: string): string {
  if (Object.hasOwn(aspectCodecs, name)) return `the environment has none: add it at /${name}`;
  if (name === "tags") return "an environment has no tags: PUT /api/admin/features/{featureName}/tags";
  return `an environment has ${aspects.join(", ")}; see /variants/{name}`;
}

function isSameMember(
  left: unknown,
  right: unknown,
  { isOrdered = false }: { isOrdered?: boolean },
): boolean {
  return isOrdered ? JSON.stringify(left) === JSON.stringify(right) : isDeepStrictEqual(left, right);
}

const parseMember = <A extends Aspect>(aspect: A, given: Json | undefined, before: EnvironmentContent) =>
  aspectCodecs[aspect].parse(given, before[aspect]);

function completeAspect<A extends Aspect>(
  aspect: A,
  patched: EnvironmentContent[A] | undefined,
  before: EnvironmentContent[A],
): EnvironmentContent[A] {
  return patched === undefined ? before : aspectCodecs[aspect].complete(patched, before);
}

/** Validates one patched strategy in Unleash's form: its variants are a list. */
export function parseOneStrategy(tree: Json, id: string): Strategy {
  const what = "strategy";
  requireBounds(tree, what);
  const { value, issues } = validate(strategySchema, tree);
  if (issues) throw invalidTree(issues, what);
  if (value.id !== id)
    throw invalidTree([toIssue(["id"], "cannot be changed: remove the strategy, and add another")], what);
  return value;
}

type TreeKind = "environment" | "strategy";

function requireBounds(tree: Json, what?: TreeKind): void {
  const excess = findExcess(tree);
  if (excess) throw invalidTree([excess], what);
  const issues = validateBuilt(tree);
  if (issues.length > 0) throw invalidTree(issues, what);
}

function invalidTree(issues: readonly Issue[], what: TreeKind = "environment"): ValidationError {
  return new ValidationError(`The patched ${what} is invalid: ${summarise(issues)}`, {
    details: issues.slice(0, limits.listedIssues),
  });
}
