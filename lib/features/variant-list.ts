/** Turns variants into the document that a patch applies to, and a patched document into normalised variants. */
import { ValidationError } from "../contract/errors.ts";
import { formatPointer } from "../contract/json-pointer.ts";
import { limits } from "../contract/limits.ts";
import { summarize, validate } from "../contract/validate.ts";
import { type Variant, type VariantForm, variantListSchema, weightTotal } from "../contract/variants.ts";
import { isContainer, type Json } from "./json-patch/json.ts";

export type NamelessVariant = Omit<Variant, "name">;

/** By name, an object of variants keyed by their names; by index, the list itself. */
export function toDocument(variants: readonly Variant[], form: VariantForm): Json {
  const document =
    form === "name"
      ? Object.fromEntries(variants.map((variant) => [variant.name, withoutName(variant)]))
      : variants;
  return document as Json;
}

export function withoutName({ name: _, ...variant }: Variant): NamelessVariant {
  return variant;
}

/** Validates a patched document. */
export function parseDocument(document: Json, form: VariantForm): Variant[] {
  const variants = form === "name" ? validateByName(document) : validateList(document);
  const issue = weightIssue(variants);
  if (issue) throw invalid(issue);
  return variants;
}

export function normalise(variants: readonly Variant[]): Variant[] {
  return normaliseWeights(variants).sort(byName);
}

function validateList(document: Json): Variant[] {
  if (!Array.isArray(document)) throw invalid("expected a list of variants");
  const { value, issues } = validate(variantListSchema, document);
  if (issues) throw invalid(summarize(issues));
  return value;
}

/** Validates with the schema of the list; the issues point into the object. */
function validateByName(document: Json): Variant[] {
  if (!isContainer(document) || Array.isArray(document))
    throw invalid("expected an object of variants by name");
  const entries = Object.entries(document);
  for (const [name, variant] of entries) {
    const pointer = pointerTo(name);
    if (!isContainer(variant) || Array.isArray(variant)) throw invalid(`${pointer} must be an object`);
    if (Object.hasOwn(variant, "name")) throw invalid(`${pointer}/name is not a known member`);
  }
  const list = entries.map(([name, variant]) => ({ name, ...(variant as object) }));
  const { value, issues } = validate(variantListSchema, list);
  if (!issues) return value.sort(byName);
  const toPointer = (path: string) =>
    path.replace(/^\/(\d+)/, (_, index) => pointerTo(entries[index]?.[0] ?? ""));
  throw invalid(summarize(issues.map(({ path, message }) => ({ path: toPointer(path), message }))));
}

/** Cut off if it is too long: a patch can add a member whose name takes the whole body. */
function pointerTo(name: string): string {
  const pointer = formatPointer([name]);
  if (pointer.length <= limits.pointerLength) return pointer;
  return `${pointer.slice(0, limits.pointerLength).toWellFormed()}...`;
}

function invalid(reason: string): ValidationError {
  return new ValidationError(`The patched variants are invalid: ${reason}`);
}

/** Returns why the weights cannot be normalised, or undefined. */
export function weightIssue(variants: readonly Variant[]): string | undefined {
  if (variants.length === 0) return undefined;
  if (variants.every(isFixed)) return "at least one variant must have weightType variable";
  const fixed = fixedWeight(variants);
  return fixed > weightTotal ? `the fix weights sum to ${fixed}, more than ${weightTotal}` : undefined;
}

/** Divides evenly what the fix weights leave; of a remainder, the first variable variants get one each. */
export function normaliseWeights(variants: readonly Variant[]): Variant[] {
  const remainder = weightTotal - fixedWeight(variants);
  const shares = variants.filter((variant) => !isFixed(variant)).length;
  let extra = remainder % shares;
  return variants.map((variant) => {
    if (isFixed(variant)) return variant;
    return { ...variant, weight: Math.floor(remainder / shares) + (extra-- > 0 ? 1 : 0) };
  });
}

export function isFixed({ weightType }: Variant): boolean {
  return weightType === "fix";
}

function fixedWeight(variants: readonly Variant[]): number {
  return variants.filter(isFixed).reduce((sum, { weight }) => sum + weight, 0);
}

/** In English on every machine, whatever its locale. */
export function byName({ name: left }: Variant, { name: right }: Variant): number {
  return left.localeCompare(right, "en");
}
