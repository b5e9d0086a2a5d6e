/** Turns the content of an environment into the tree that a patch applies to, and back. */
import { isDeepStrictEqual } from "node:util";
import { ValidationError } from "../../contract/errors.ts";
import {
  findBuiltIssues,
  findExcess,
  isObject,
  type Json,
  toIssue,
  type ValueIssue,
} from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import type { PatchedEnvironment } from "../../contract/responses/features.ts";
import {
  dependenciesSchema,
  type Strategy,
  strategySchema,
  targetingSchema,
} from "../../contract/strategies.ts";
import { issuesUnder, summarise, type Validated, validate } from "../../contract/validate.ts";
import {
  type Aspect,
  aspects,
  type EnvironmentContent,
  formatTargeting,
  mapAspects,
  parseTargeting,
} from "../model.ts";
import { normaliseStrategies, parseStrategiesById, strategiesById } from "./strategies-by-id.ts";
import { isSharedEvenly, normaliseVariants, parseVariants, variantsByName } from "./variant-list.ts";

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
  /** Validates the member; `given` is null if the tree has none. */
  parse(given: Json, before: Value): Validated<Value>;
  /** Whether the order of the value's members matters. */
  isOrdered: boolean;
  /** Normalises the parsed value, such as its weights. */
  normalise(parsed: Value, before: Value): Value;
}

const asParsed = <Value>(parsed: Value) => parsed;

const aspectCodecs: { readonly [A in Aspect]: AspectCodec<EnvironmentContent[A]> } = {
  enabled: {
    toMember: (enabled) => enabled,
    parse: (given) =>
      typeof given === "boolean" ? { value: given } : { issues: [toIssue([], "must be true or false")] },
    isOrdered: false,
    normalise: asParsed,
  },
  variants: {
    toMember: variantsByName,
    parse: (given) => parseVariants(given, "name"),
    isOrdered: false,
    normalise: (parsed) => {
      // Throws if the weights are invalid, so it comes first.
      const normalised = normaliseVariants(parsed);
      // After a patch by index, the weights of three variants can be 333, 334 and 333, where normalising gives 334, 333
      // and 333. Any even split is accepted as it is, so that a difference that is sent again gives exactly its weights.
      return isSharedEvenly(parsed) ? parsed : normalised;
    },
  },
  strategies: {
    toMember: strategiesById,
    parse: parseStrategiesById,
    // SDKs give out the shares of a strategy's variants in their order.
    isOrdered: true,
    normalise: normaliseStrategies,
  },
  dependencies: {
    toMember: (dependencies) => (dependencies.length > 0 ? dependencies : undefined),
    parse: (given) => validate(dependenciesSchema, given ?? []),
    isOrdered: false,
    normalise: asParsed,
  },
  targeting: {
    toMember: (targeting) => parseTargeting(targeting) ?? undefined,
    parse: (given) => {
      if (given === null) return { value: null };
      const { value, issues } = validate(targetingSchema, given);
      return issues ? { issues } : { value: formatTargeting(value) };
    },
    isOrdered: true,
    normalise: asParsed,
  },
};

interface ParsedTree {
  /** The aspects that the patch changed, as it left them, before they are normalised. */
  parsed: Partial<EnvironmentContent>;
  content: EnvironmentContent;
}

/**
 * Validates a patched tree, and takes the content from it. An aspect that the patch left as it was stays exactly so: an
 * import may have stored weights that a patch would not leave.
 */
export function parseTree(tree: Json, before: EnvironmentContent): ParsedTree {
  requireBounds(tree, "environment");
  if (!isObject(tree)) throw invalidPatched("environment", [toIssue([], "must be an object")]);
  const issues = Object.keys(tree)
    .filter((member) => !Object.hasOwn(aspectCodecs, member))
    .map((member) => toIssue([member], `is not a known member; ${adviceFor(member)}`));
  const treeBefore = toTree(before);
  const values = new Map<Aspect, unknown>();
  for (const aspect of aspects) {
    if (isSameMember(tree[aspect], treeBefore[aspect], aspectCodecs[aspect])) continue;
    const { value, issues: memberIssues } = parseMember(aspect, tree[aspect] ?? null, before);
    if (memberIssues) issues.push(...issuesUnder(aspect, memberIssues));
    else values.set(aspect, value);
  }
  if (issues.length > 0) throw invalidPatched("environment", issues);
  const parsed: Partial<EnvironmentContent> = Object.fromEntries(values);
  return {
    parsed,
    content: mapAspects((aspect) => normaliseAspect(aspect, parsed[aspect], before[aspect])),
  };
}

/** Says how to patch a member that an environment lacks. */
export function adviceFor(name: string): string {
  if (Object.hasOwn(aspectCodecs, name)) return `the environment has none: add it at /${name}`;
  if (name === "tags") return "an environment has no tags: PUT /api/admin/features/{featureName}/tags";
  return `an environment has ${aspects.join(", ")}; see /variants/{name}`;
}

function isSameMember(left: unknown, right: unknown, { isOrdered }: { isOrdered: boolean }): boolean {
  return isOrdered ? JSON.stringify(left) === JSON.stringify(right) : isDeepStrictEqual(left, right);
}

const parseMember = <A extends Aspect>(aspect: A, given: Json, before: EnvironmentContent) =>
  aspectCodecs[aspect].parse(given, before[aspect]);

function normaliseAspect<A extends Aspect>(
  aspect: A,
  parsed: EnvironmentContent[A] | undefined,
  before: EnvironmentContent[A],
): EnvironmentContent[A] {
  return parsed === undefined ? before : aspectCodecs[aspect].normalise(parsed, before);
}

/** Validates one patched strategy in Unleash's form: its variants are a list. */
export function parseOneStrategy(patched: Json, id: string): Strategy {
  requireBounds(patched, "strategy");
  const { value, issues } = validate(strategySchema, patched);
  if (issues) throw invalidPatched("strategy", issues);
  if (value.id !== id) {
    const issue = toIssue(["id"], "cannot be changed: remove the strategy, and add another");
    throw invalidPatched("strategy", [issue]);
  }
  return value;
}

type PatchedKind = "environment" | "strategy";

function requireBounds(patched: Json, kind: PatchedKind): void {
  const excess = findExcess(patched);
  const issues = excess ? [excess] : findBuiltIssues(patched);
  if (issues.length > 0) throw invalidPatched(kind, issues);
}

function invalidPatched(kind: PatchedKind, issues: readonly ValueIssue[]): ValidationError {
  return new ValidationError(`The patched ${kind} is invalid: ${summarise(issues)}`, {
    details: issues.slice(0, limits.listedIssues),
  });
}
