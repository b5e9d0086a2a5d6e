/**
 * Turns strategies into the part of the environment's tree that has them, by id with their variants by name, and back.
 */
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, toIssue, type ValueIssue } from "../../contract/json.ts";
import {
  type Strategy,
  type StrategyVariant,
  strategyIdSchema,
  strategyRestSchema,
  strategyVariantSchema,
} from "../../contract/strategies.ts";
import { issuesUnder, type Validated, validate } from "../../contract/validate.ts";
import { inStrategyOrder } from "../active-strategies.ts";
import { strategiesIssue } from "./content-size.ts";
import {
  compareByName,
  normaliseWeights,
  parseByName,
  requireWeights,
  variantsByName,
} from "./variant-list.ts";

export function strategiesById(strategies: readonly Strategy[]): Record<string, Json> {
  return Object.fromEntries(strategies.map((strategy) => [strategy.id, withoutId(strategy) as Json]));
}

/** Returns the strategy as the tree has it under its id: the variants are by name, in the order of the list. */
export function withoutId({ id: _, variants, ...rest }: Strategy) {
  return { ...rest, variants: variantsByName(variants) };
}

/** Normalises the weights of each list of variants that was patched. */
export function normaliseStrategies(parsed: readonly Strategy[], before: readonly Strategy[]): Strategy[] {
  const known = indexById(before);
  return parsed.map((strategy) => {
    const { id, variants } = strategy;
    if (isDeepStrictEqual(variants, known.get(id)?.variants)) return strategy;
    requireWeights(variants, `variants of strategy "${id}"`);
    return { ...strategy, variants: normaliseWeights<StrategyVariant>(variants) };
  });
}

function indexById(strategies: readonly Strategy[]): ReadonlyMap<string, Strategy> {
  return new Map(strategies.map((strategy) => [strategy.id, strategy]));
}

export function parseStrategiesById(members: Json, before: readonly Strategy[]): Validated<Strategy[]> {
  if (!isObject(members)) return { issues: [toIssue([], "must be an object of strategies by id")] };
  const known = indexById(before);
  const strategies: Strategy[] = [];
  const tooMany = strategiesIssue(Object.keys(members).length);
  if (tooMany !== undefined) return { issues: [toIssue([], tooMany)] };
  const issues: ValueIssue[] = [];
  for (const [id, given] of Object.entries(members)) {
    const { value, issues: issuesHere } = parseStrategy(id, given, known.get(id));
    issues.push(...issuesUnder(id, issuesHere));
    if (value) strategies.push(value);
  }
  return issues.length > 0 ? { issues } : { value: inStrategyOrder(strategies) };
}

function parseStrategy(id: string, given: Json, before: Strategy | undefined): Validated<Strategy> {
  if (!isObject(given)) return { issues: [toIssue([], "must be an object")] };
  const { variants = {}, ...members } = given;
  const checkedId = validate(strategyIdSchema, id);
  const rest = validate(strategyRestSchema, members);
  const list = parseByName(variants, strategyVariantSchema);
  const issues = [
    ...(checkedId.issues ?? []),
    ...(rest.issues ?? []),
    ...issuesUnder("variants", list.issues),
  ];
  if (!rest.value || !list.value || issues.length > 0) return { issues };
  return {
    value: {
      id,
      ...rest.value,
      variants: keepOrder(list.value, before?.variants),
    },
  };
}

/**
 * SDKs give out the shares in the order of the list, which is the order that was sent. But a JavaScript object puts names
 * that are whole numbers first. If there is such a name, the variants keep the order that they had `before`, and new ones
 * come last, by name.
 */
function keepOrder(variants: StrategyVariant[], before: readonly StrategyVariant[] = []): StrategyVariant[] {
  if (!variants.some(({ name }) => /^(?:0|[1-9]\d*)$/.test(name))) return variants;
  const places = new Map(before.map(({ name }, index) => [name, index]));
  const placeOf = ({ name }: StrategyVariant) => places.get(name) ?? before.length;
  return variants.sort((left, right) => placeOf(left) - placeOf(right) || compareByName(left, right));
}
