/**
 * Turns variants into the form that a patch applies to, a list or an object keyed by name. Validates what the patch left,
 * and normalises the weights and the order.
 */
import type * as z from "zod/mini";
import { ValidationError } from "../../contract/errors.ts";
import { findExcess, isObject, type Json, toIssue, type ValueIssue } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import { urlFriendlyNameSchema } from "../../contract/names.ts";
import {
  issuesUnder,
  summarise,
  unknownMembersFirst,
  type Validated,
  validate,
} from "../../contract/validate.ts";
import {
  uniquelyNamedSchema,
  type Variant,
  type VariantForm,
  variantSchema,
  weightTotal,
} from "../../contract/variants.ts";

export interface Named {
  name: string;
}

export function variantsInForm(variants: readonly Variant[], form: VariantForm): Json {
  return (form === "name" ? variantsByName(variants) : variants) as Json;
}

export function variantsByName(variants: readonly Named[]) {
  return Object.fromEntries(variants.map((variant) => [variant.name, withoutName(variant)]));
}

export function withoutName<Element extends Named>({ name: _, ...variant }: Element): Omit<Element, "name"> {
  return variant;
}

export function parsePatchedVariants(patched: Json, form: VariantForm): Variant[] {
  const excess = findExcess(patched);
  const { value, issues } = excess ? { issues: [excess] } : parseVariants(patched, form);
  if (issues) {
    throw new ValidationError(`The patched variants are invalid: ${summarise(issues)}`, { details: issues });
  }
  return value;
}

/** Validates the variants of an environment. Those by name are sorted by name. */
export function parseVariants(given: Json, form: VariantForm): Validated<Variant[]> {
  if (form === "index") return parseByIndex(given);
  const { value, issues } = parseByName(given, variantSchema);
  return issues ? { issues } : { value: value.sort(compareByName) };
}

function parseByIndex(given: Json): Validated<Variant[]> {
  if (!Array.isArray(given)) return { issues: [toIssue([], "must be a list")] };
  const collected = collect(partsByIndex(given));
  const { issues } = validate(uniquelyNamedSchema, collected.value ?? []);
  return issues ? { issues } : collected;
}

/** Validates variants by name, and returns them in the order of the object. */
export function parseByName<Element extends Named>(
  given: Json,
  schema: z.ZodMiniType<Element>,
): Validated<Element[]> {
  if (!isObject(given)) {
    return { issues: [toIssue([], "must be an object of variants by name")] };
  }
  return collect(partsByName(given, schema));
}

function* partsByIndex(list: readonly Json[]): Generator<Validated<Variant>> {
  for (const [index, given] of list.entries()) {
    const { value, issues } = validate(variantSchema, given);
    yield issues ? { issues: issuesUnder(String(index), issues) } : { value };
  }
}

/** Validates each variant by itself, because Zod would leave one named `__proto__` out of an object. */
function* partsByName<Element>(
  object: object,
  schema: z.ZodMiniType<Element>,
): Generator<Validated<Element>> {
  for (const [name, given] of Object.entries(object)) {
    const { issues = [], value } = isObject(given) ? parseNamed(name, given, schema) : notAnObject;
    const nameIssues = validate(urlFriendlyNameSchema, name).issues ?? [];
    if (nameIssues.length > 0 || value === undefined) {
      yield { issues: issuesUnder(name, [...nameIssues, ...issues]) };
    } else yield { value };
  }
}

const notAnObject: { issues: ValueIssue[]; value?: never } = { issues: [toIssue([], "must be an object")] };

/** Returns no issue of the name, which `partsByName` validates. A member `name` is refused: the key is the name. */
function parseNamed<Element>(
  name: string,
  given: object,
  schema: z.ZodMiniType<Element>,
): Validated<Element> {
  const { value, issues = [] } = validate(schema, { ...given, name });
  const unknown = Object.hasOwn(given, "name") ? [toIssue(["name"], "is not a known member")] : [];
  const all = [...unknown, ...issues.filter(({ path }) => path !== "/name")];
  return value === undefined || all.length > 0 ? { issues: all } : { value };
}

/** Stops at the limit of issues; Zod would look for every one. */
function collect<Element>(parts: Iterable<Validated<Element>>): Validated<Element[]> {
  const variants: Element[] = [];
  const issues: ValueIssue[] = [];
  for (const { value, issues: partIssues = [] } of parts) {
    issues.push(...partIssues);
    if (issues.length >= limits.listedIssues) break;
    if (value) variants.push(value);
  }
  return issues.length > 0
    ? { issues: unknownMembersFirst(issues).slice(0, limits.listedIssues) }
    : { value: variants };
}

/** Normalises the weights, so that they sum to 1000, and sorts by name. Throws as `requireWeights` does. */
export function normaliseVariants(variants: readonly Variant[]): Variant[] {
  requireWeights(variants, "variants");
  return normaliseWeights(variants).sort(compareByName);
}

/**
 * Throws if no variant is `variable`, or if the `fix` weights sum to more than 1000. Messages call the variants `what`.
 */
export function requireWeights(variants: readonly Weighted[], what: string): void {
  const issue = weightIssue(variants);
  if (issue !== undefined) throw new ValidationError(`The patched ${what} are invalid: ${issue}`);
}

export type Weighted = Pick<Variant, "name" | "weight" | "weightType">;

export function weightIssue(variants: readonly Weighted[]): string | undefined {
  if (variants.length === 0) return undefined;
  if (variants.every(hasFixedWeight)) {
    return `every variant has weightType "fix": give at least one the weightType "variable"`;
  }
  const fixed = fixedWeight(variants);
  return fixed > weightTotal ? `the fix weights sum to ${fixed}, more than ${weightTotal}` : undefined;
}

/**
 * Divides what the fixed weights leave evenly. The remainder goes to the first variable variants, 1 to each: one of 300
 * and three variable ones get 300, 234, 233 and 233.
 */
export function normaliseWeights<Listed extends Weighted>(variants: readonly Listed[]): Listed[] {
  const variable = variants.filter((variant) => !hasFixedWeight(variant));
  const remainder = weightTotal - fixedWeight(variants);
  const share = Math.floor(remainder / variable.length);
  const getsOneMore = new Set(variable.slice(0, remainder % variable.length));
  return variants.map((variant) =>
    hasFixedWeight(variant) ? variant : { ...variant, weight: getsOneMore.has(variant) ? share + 1 : share },
  );
}

function hasFixedWeight({ weightType }: Weighted): boolean {
  return weightType === "fix";
}

function fixedWeight(variants: readonly Weighted[]): number {
  return variants.filter(hasFixedWeight).reduce((sum, { weight }) => sum + weight, 0);
}

/**
 * Sorts by the rules of English, as people read a list, on every machine, whatever its locale. Indexes of patches
 * depend on this order.
 */
export function compareByName({ name: left }: { name: string }, { name: right }: { name: string }): number {
  return left.localeCompare(right, "en");
}

/**
 * Whether the weights are as a patch would leave them. An import may have stored others, such as 900 and 100, both
 * variable.
 */
export function isSharedEvenly(variants: readonly Weighted[]): boolean {
  const weights = variants.filter((variant) => !hasFixedWeight(variant)).map(({ weight }) => weight);
  const sum = weights.reduce((total, weight) => total + weight, fixedWeight(variants));
  return weights.length === 0 || (sum === weightTotal && Math.max(...weights) - Math.min(...weights) <= 1);
}
