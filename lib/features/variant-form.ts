/** Turns variants into the form that a patch applies to, a list or an object keyed by name, and back. */
import { ValidationError } from "../contract/errors.ts";
import { findExcess } from "../contract/json-bounds.ts";
import { limits } from "../contract/limits.ts";
import {
  type Issue,
  summarise,
  toIssue,
  unknownFirst,
  type Validated,
  validate,
} from "../contract/validate.ts";
import {
  namelessVariantSchema,
  repeatedNames,
  type Variant,
  type VariantForm,
  variantListSchema,
  variantNameSchema,
  variantSchema,
} from "../contract/variants.ts";
import { isContainer, type Json } from "./json-patch/json.ts";
import { byName } from "./variant-list.ts";

export type NamelessVariant = Omit<Variant, "name">;

export function toForm(variants: readonly Variant[], form: VariantForm): Json {
  const document =
    form === "name"
      ? Object.fromEntries(variants.map((variant) => [variant.name, withoutName(variant)]))
      : variants;
  return document as Json;
}

export function withoutName({ name: _, ...variant }: Variant): NamelessVariant {
  return variant;
}

/** Validates a patched document, and takes its variants from it. */
export function parsePatched(document: Json, form: VariantForm): Variant[] {
  const excess = findExcess(document);
  if (excess) throw invalid(summarise([excess]), [excess]);
  const { value: variants, issues } = form === "name" ? parseByName(document) : parseByIndex(document);
  if (issues) throw invalid(summarise(issues), issues);
  return variants;
}

function parseByIndex(document: Json): Validated<Variant[]> {
  if (!Array.isArray(document)) return validate(variantListSchema, document);
  const collected = collect(partsByIndex(document));
  const repeated = repeatedNames(collected.value ?? []).map(({ path, message }) => toIssue(path, message));
  return repeated.length > 0 ? { issues: repeated } : collected;
}

function parseByName(document: Json): Validated<Variant[]> {
  if (!isContainer(document) || Array.isArray(document)) {
    throw invalid("expected an object of variants by name");
  }
  const { value, issues } = collect(partsByName(document));
  return issues ? { issues } : { value: value.sort(byName) };
}

/** A variant of the document. `pointer` is empty if its name is too long for one. */
type Part = Validated<Variant> & { pointer: string };

function* partsByIndex(list: readonly Json[]): Generator<Part> {
  for (const [index, content] of list.entries()) {
    yield { pointer: `/${index}`, ...validate(variantSchema, content) };
  }
}

/** Zod would leave a variant named `__proto__` out of an object. */
function* partsByName(object: object): Generator<Part> {
  for (const [member, content] of Object.entries(object)) {
    const { path: pointer } = toIssue([member], "");
    const name = validate(variantNameSchema, member);
    const rest = validate(namelessVariantSchema, content);
    if (name.issues || rest.issues)
      yield { pointer, issues: [...(name.issues ?? []), ...(rest.issues ?? [])] };
    else yield { pointer, value: { name: name.value, ...rest.value } };
  }
}

/** Stops at the limit of issues; Zod would look for every one. */
function collect(parts: Iterable<Part>): Validated<Variant[]> {
  const variants: Variant[] = [];
  const issues: Issue[] = [];
  for (const { pointer, value, issues: found = [] } of parts) {
    for (const { path, message } of found) issues.push({ path: pointer && pointer + path, message });
    if (issues.length >= limits.issues) break;
    if (value) variants.push(value);
  }
  return issues.length > 0 ? { issues: unknownFirst(issues).slice(0, limits.issues) } : { value: variants };
}

function invalid(reason: string, details?: readonly Issue[]): ValidationError {
  return new ValidationError(`The patched variants are invalid: ${reason}`, { details });
}
