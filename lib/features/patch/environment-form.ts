/** Turns what an environment has into the document that a patch of it applies to, and back. */
import { isDeepStrictEqual } from "node:util";
import { ValidationError } from "../../contract/errors.ts";
import { findExcess, validateJson } from "../../contract/json-bounds.ts";
import { limits } from "../../contract/limits.ts";
import {
  type Dependency,
  dependenciesSchema,
  type Strategy,
  type StrategyVariant,
  strategyIdSchema,
  strategyRestSchema,
  strategySchema,
  strategyVariantSchema,
  type Targeting,
  targetingSchema,
} from "../../contract/strategies.ts";
import { type Issue, summarise, toIssue, type Validated, validate } from "../../contract/validate.ts";
import type { VariantForm } from "../../contract/variants.ts";
import { type Aspect, aspects, type EnvironmentContent, mapAspects } from "../model.ts";
import { strategiesIssue } from "./content-size.ts";
import { isContainer, type Json } from "./json.ts";
import { parseVariants, toForm, withoutName } from "./variant-form.ts";
import { normalise, normaliseWeights, requireWeights } from "./variant-list.ts";

/** `{ enabled, variants: { by name }, strategies: { by id, with variants by name }, dependencies?, targeting? }`. */
export function toDocument(content: EnvironmentContent): EnvironmentDocument {
  const members = aspects.flatMap((aspect) => {
    const member = memberOf(aspect, content);
    return member === undefined ? [] : [[aspect, member] as const];
  });
  return Object.fromEntries(members) as EnvironmentDocument;
}

export type EnvironmentDocument = Pick<EnvironmentContent, "enabled"> & {
  variants: Json;
  strategies: Record<string, Json>;
  dependencies?: Dependency[];
  targeting?: Targeting;
};

const memberOf = <A extends Aspect>(aspect: A, content: EnvironmentContent) =>
  forms[aspect].toMember(content[aspect]);

interface Form<Value> {
  /** Undefined: the document has none. */
  toMember(value: Value): unknown;
  /** `given`: undefined where the document has none. */
  parse(given: Json | undefined, before: Value): Validated<Value>;
  /** Whether another order of members is another value. */
  isOrdered?: true;
  /** Completes what was patched, such as its weights. */
  complete(parsed: Value, before: Value): Value;
}

const asParsed = <Value>(parsed: Value) => parsed;

const forms: { readonly [A in Aspect]: Form<EnvironmentContent[A]> } = {
  enabled: {
    toMember: (enabled) => enabled,
    parse: (given) =>
      typeof given === "boolean" ? { value: given } : { issues: [toIssue([], "must be true or false")] },
    complete: asParsed,
  },
  variants: {
    toMember: (variants) => toForm(variants, "name"),
    parse: (given = null) => parseVariants(given, "name"),
    complete: normalise,
  },
  strategies: {
    toMember: strategiesById,
    parse: (given = null, before) => parseStrategies(given, before),
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

/** With lists, as Unleash has them, or in the form of a patch. */
export function inForm(content: EnvironmentContent, form: VariantForm) {
  const document = toDocument(content);
  return form === "name"
    ? document
    : { ...document, variants: content.variants, strategies: content.strategies };
}

export function strategiesById(strategies: readonly Strategy[]): Record<string, Json> {
  return Object.fromEntries(strategies.map((one) => [one.id, withoutId(one) as Json]));
}

/** With its variants by name, in the order of the list. */
export function withoutId({ id: _, variants, ...rest }: Strategy) {
  return { ...rest, variants: variantsByName(variants) };
}

export function variantsByName(variants: readonly { name: string }[]) {
  return Object.fromEntries(variants.map((one) => [one.name, withoutName(one)]));
}

export function parseTargeting(text: string | null): Targeting | null {
  return text === null ? null : JSON.parse(text);
}

export function formatTargeting(targeting: Targeting | null): string | null {
  return targeting === null ? null : JSON.stringify(targeting);
}

/** By `sortOrder`, then by id: the list is the same whatever the order of the members that it was made from. */
export function inStrategyOrder(strategies: readonly Strategy[]): Strategy[] {
  return [...strategies].sort(
    (left, right) => left.sortOrder - right.sortOrder || (left.id < right.id ? -1 : 1),
  );
}

interface Patched {
  /** As sent. Undefined: the patch left it as it was. */
  sent: Partial<EnvironmentContent>;
  content: EnvironmentContent;
}

/**
 * Validates a patched document, and takes an environment from it. What the patch left as it was stays exactly so: an import
 * may have stored weights that a patch would not leave.
 */
export function parseDocument(document: Json, before: EnvironmentContent): Patched {
  requireBounds(document);
  if (!isObject(document)) throw invalid([toIssue([], "must be an object")]);
  const issues = Object.keys(document)
    .filter((member) => !Object.hasOwn(forms, member))
    .map((member) => toIssue([member], "is not a known member"));
  const had = toDocument(before);
  const parsed = new Map<Aspect, unknown>();
  for (const aspect of aspects) {
    if (isSame(document[aspect], had[aspect], forms[aspect])) continue;
    const { value, issues: found } = parseMember(aspect, document[aspect], before);
    if (found) issues.push(...within(aspect, found));
    else parsed.set(aspect, value);
  }
  if (issues.length > 0) throw invalid(issues);
  const sent: Partial<EnvironmentContent> = Object.fromEntries(parsed);
  return { sent, content: mapAspects((aspect) => completed(aspect, sent[aspect], before[aspect])) };
}

function isSame(left: unknown, right: unknown, { isOrdered = false }: { isOrdered?: boolean }): boolean {
  return isOrdered ? JSON.stringify(left) === JSON.stringify(right) : isDeepStrictEqual(left, right);
}

const parseMember = <A extends Aspect>(aspect: A, given: Json | undefined, before: EnvironmentContent) =>
  forms[aspect].parse(given, before[aspect]);

function completed<A extends Aspect>(
  aspect: A,
  sent: EnvironmentContent[A] | undefined,
  before: EnvironmentContent[A],
): EnvironmentContent[A] {
  return sent === undefined ? before : forms[aspect].complete(sent, before);
}

/** With the weights of each list of variants that was patched. */
export function completeStrategies(sent: readonly Strategy[], before: readonly Strategy[]): Strategy[] {
  const known = new Map(before.map((one) => [one.id, one]));
  return sent.map((one) => {
    const old = known.get(one.id)?.variants;
    if (old && isDeepStrictEqual(one.variants, old)) return one;
    requireWeights(one.variants, `variants of strategy "${one.id}"`);
    return { ...one, variants: normaliseWeights<StrategyVariant>(one.variants) };
  });
}

function parseStrategies(document: Json, before: readonly Strategy[]): Validated<Strategy[]> {
  if (!isObject(document)) return { issues: [toIssue([], "must be an object of strategies by id")] };
  const known = new Map(before.map((one) => [one.id, one]));
  const strategies: Strategy[] = [];
  const tooMany = strategiesIssue(Object.keys(document).length);
  if (tooMany !== undefined) return { issues: [toIssue([], tooMany)] };
  const issues: Issue[] = [];
  for (const [id, given] of Object.entries(document)) {
    const { value, issues: found = [] } = parseStrategy(id, given, known.get(id));
    for (const { path, message } of found) issues.push({ path: toIssue([id], "").path + path, message });
    if (value) strategies.push(value);
  }
  return issues.length > 0 ? { issues } : { value: inStrategyOrder(strategies) };
}

function parseStrategy(id: string, given: Json, before: Strategy | undefined): Validated<Strategy> {
  if (!isObject(given)) return { issues: [toIssue([], "must be an object")] };
  const { variants = {}, ...members } = given;
  const checked = validate(strategyIdSchema, id);
  const rest = validate(strategyRestSchema, members);
  const list = parseVariants(variants, "name", strategyVariantSchema);
  const issues = [...(checked.issues ?? []), ...(rest.issues ?? []), ...within("variants", list.issues)];
  if (!rest.value || !list.value || issues.length > 0) return { issues };
  return {
    value: {
      id,
      ...rest.value,
      variants: inSentOrder(list.value, Object.keys(variants ?? {}), before?.variants),
    },
  };
}

/**
 * SDKs give out the shares in the order of the list. An object puts names that are whole numbers first, whatever was sent:
 * with one of these, the variants stay in the order of before, and new ones come last.
 */
function inSentOrder(
  variants: readonly StrategyVariant[],
  sent: readonly string[],
  before: readonly StrategyVariant[] = [],
) {
  const order = sent.some((name) => /^\d+$/.test(name)) ? before.map(({ name }) => name) : sent;
  const places = new Map(order.map((name, index) => [name, index]));
  const placeOf = ({ name }: StrategyVariant) => places.get(name) ?? order.length;
  return [...variants].sort((left, right) => placeOf(left) - placeOf(right));
}

/** Validates one patched strategy in Unleash's form: its variants are a list. */
export function parseOneStrategy(document: Json, id: string): Strategy {
  requireBounds(document);
  const { value, issues } = validate(strategySchema, document);
  if (issues) throw invalid(issues);
  if (value.id !== id)
    throw invalid([toIssue(["id"], "cannot be changed: remove the strategy, and add another")]);
  return value;
}

function requireBounds(document: Json): void {
  const excess = findExcess(document);
  if (excess) throw invalid([excess]);
  const issues = validateJson(document);
  if (issues.length > 0) throw invalid(issues);
}

function within(member: string, issues: readonly Issue[] = []): Issue[] {
  return issues.map(({ path, message }) => ({ path: `/${member}${path}`, message }));
}

function isObject(value: Json): value is { [member: string]: Json } {
  return isContainer(value) && !Array.isArray(value);
}

function invalid(issues: readonly Issue[]): ValidationError {
  return new ValidationError(`The patched environment is invalid: ${summarise(issues)}`, {
    details: issues.slice(0, limits.issues),
  });
}
