/** Turns variants into the form that a patch applies to, a list or an object keyed by name, and back. */
import type * as z from "zod/mini";
import { ValidationError } from "../../contract/errors.ts";
import { findExcess } from "../../contract/json-bounds.ts";
import { limits } from "../../contract/limits.ts";
import { nameInPathSchema } from "../../contract/names.ts";
import {
  issuesUnder,
  summarise,
  toIssue,
  unknownMembersFirst,
  type Validated,
  type ValueIssue,
  validate,
} from "../../contract/validate.ts";
import {
  uniquelyNamedSchema,
  type Variant,
  type VariantForm,
  variantSchema,
} from "../../contract/variants.ts";
import { isObject, type Json } from "./json.ts";
import { compareByName } from "./variant-list.ts";

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
  if (excess) throw invalidVariants(summarise([excess]), [excess]);
  const { value: variants, issues } = parseVariants(patched, form);
  if (issues) throw invalidVariants(summarise(issues), issues);
  return variants;
}

/** Validates the variants of an environment. Those by name are sorted by name. */
export function parseVariants(given: Json, form: VariantForm): Validated<Variant[]> {
  if (form === "index") return parseByIndex(given);
  const { value, issues } = parseByName(given, variantSchema);
  return issues ? { issues } : { value: value.sort(compareByName) };
}

export interface Named {
  name: string;
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
    const { issues = [], value } = isObject(given) ? parseNamed(name, given, schema) : noObject;
    const nameIssues = validate(nameInPathSchema, name).issues ?? [];
    if (nameIssues.length > 0 || value === undefined) {
      yield { issues: issuesUnder(name, [...nameIssues, ...issues]) };
    } else yield { value };
  }
}

const noObject: { issues: ValueIssue[]; value?: never } = { issues: [toIssue([], "must be an object")] };

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

function invalidVariants(reason: string, details?: readonly ValueIssue[]): ValidationError {
  return new ValidationError(`The patched variants are invalid: ${reason}`, { details });
}
