/** A list of variants: its document, its weights, its order and its size. */
import { ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { findExcess } from "../contract/validate.ts";
import { type Variant, type VariantForm, weightTotal } from "../contract/variants.ts";
import type { Json } from "./json-patch/json.ts";
import { storedBytes } from "./stored-bytes.ts";

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

export function normalise(variants: readonly Variant[]): Variant[] {
  return normaliseWeights(variants).sort(byName);
}

export function requireRoom(variants: readonly Variant[]): void {
  const issue = roomIssue(variants);
  if (issue !== undefined) throw new ValidationError(`The variants of an environment ${issue}`);
}

/** A change is stored with the variants before it: twice the limit fits in an item. */
export function roomIssue(variants: readonly Variant[]): string | undefined {
  if (storedBytes(variants) > limits.variantsBytes) {
    return `would take more than ${limits.variantsBytes / 1024} KiB`;
  }
  // A list that has more could not be patched any more.
  if (findExcess(variants)) {
    return `would have more than ${limits.values.toLocaleString("en")} list elements and members`;
  }
  return undefined;
}

export function weightIssue(variants: readonly Variant[]): string | undefined {
  if (variants.length === 0) return undefined;
  if (variants.every(isFixed)) return "at least one variant must have weightType variable";
  const fixed = fixedWeight(variants);
  return fixed > weightTotal ? `the fix weights sum to ${fixed}, more than ${weightTotal}` : undefined;
}

export function normaliseWeights(variants: readonly Variant[]): Variant[] {
  const remainder = weightTotal - fixedWeight(variants);
  const shares = variants.filter((variant) => !isFixed(variant)).length;
  let extra = remainder % shares;
  return variants.map((variant) => {
    if (isFixed(variant)) return variant;
    return { ...variant, weight: Math.floor(remainder / shares) + (extra-- > 0 ? 1 : 0) };
  });
}

/** An import may have stored other weights. */
export function isSharedEvenly(variants: readonly Variant[]): boolean {
  const shares = variants.filter((variant) => !isFixed(variant)).map(({ weight }) => weight);
  const sum = shares.reduce((total, weight) => total + weight, fixedWeight(variants));
  return shares.length === 0 || (sum === weightTotal && Math.max(...shares) - Math.min(...shares) <= 1);
}

function isFixed({ weightType }: Variant): boolean {
  return weightType === "fix";
}

function fixedWeight(variants: readonly Variant[]): number {
  return variants.filter(isFixed).reduce((sum, { weight }) => sum + weight, 0);
}

/** English on every machine, whatever its locale. */
export function byName({ name: left }: Variant, { name: right }: Variant): number {
  return left.localeCompare(right, "en");
}
