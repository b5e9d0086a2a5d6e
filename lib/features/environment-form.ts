/** Turns what an environment has into the document that a patch of it applies to, and back. */
import { ValidationError } from "../contract/errors.ts";
import { findExcess, validateJson } from "../contract/json-bounds.ts";
import {
  type Strategy,
  type StrategyVariant,
  strategyIdSchema,
  strategyRestSchema,
  strategySchema,
  strategyVariantSchema,
  type Targeting,
  targetingSchema,
} from "../contract/strategies.ts";
import { type Issue, summarise, toIssue, type Validated, validate } from "../contract/validate.ts";
import { isContainer, type Json } from "./json-patch/json.ts";
import type { EnvironmentContent } from "./model.ts";
import { parseVariants, toForm, withoutName } from "./variant-form.ts";

/** `{ enabled, variants: { by name }, strategies: { by id, with variants by name }, targeting }`. */
export function toDocument({ enabled, variants, strategies, targeting }: EnvironmentContent) {
  return {
    enabled,
    variants: toForm(variants, "name"),
    strategies: strategiesById(strategies),
    targeting: parseTargeting(targeting),
  };
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

/** Validates a patched document, and takes an environment from it. `before` has the order of each strategy's variants. */
export function parseDocument(document: Json, before: EnvironmentContent): EnvironmentContent {
  requireBounds(document);
  if (!isObject(document)) throw invalid([toIssue([], "must be an object")]);
  const { enabled, variants, strategies, targeting = null, ...others } = document;
  const unknown = Object.keys(others).map((member) => toIssue([member], "is not a known member"));
  const isSwitch = typeof enabled === "boolean";
  const parsedVariants = parseVariants(variants ?? null, "name");
  const parsedStrategies = parseStrategies(strategies ?? null, before.strategies);
  const parsedTargeting = targeting === null ? undefined : validate(targetingSchema, targeting);
  const issues = [
    ...unknown,
    ...(isSwitch ? [] : [toIssue(["enabled"], "must be true or false")]),
    ...within("variants", parsedVariants.issues),
    ...within("strategies", parsedStrategies.issues),
    ...within("targeting", parsedTargeting?.issues),
  ];
  if (!isSwitch || !parsedVariants.value || !parsedStrategies.value || issues.length > 0)
    throw invalid(issues);
  return {
    enabled,
    variants: parsedVariants.value,
    strategies: parsedStrategies.value,
    targeting: formatTargeting(parsedTargeting?.value ?? null),
  };
}

function parseStrategies(document: Json, before: readonly Strategy[]): Validated<Strategy[]> {
  if (!isObject(document)) return { issues: [toIssue([], "must be an object of strategies by id")] };
  const known = new Map(before.map((one) => [one.id, one]));
  const strategies: Strategy[] = [];
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
    details: issues.slice(0, 100),
  });
}
