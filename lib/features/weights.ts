/** Deals the weights of a list of variants so that they sum to the whole. */
import { type Variant, weightTotal } from "../contract/variants.ts";

/** A reason why no weights can be dealt, or nothing. */
export function weightFault(variants: readonly Variant[]): string | undefined {
  if (variants.length === 0) return undefined;
  if (variants.every(isFixed)) return "at least one variant must be of weightType variable";
  const fixed = fixedWeight(variants);
  return fixed > weightTotal ? `the fix weights sum to ${fixed}, more than ${weightTotal}` : undefined;
}

/** What the fix weights leave is divided evenly; the first variable variants get one more until it adds up. */
export function dealWeights(variants: readonly Variant[]): Variant[] {
  const dealt = weightTotal - fixedWeight(variants);
  const shares = variants.filter((variant) => !isFixed(variant)).length;
  let extra = dealt % shares;
  return variants.map((variant) => {
    if (isFixed(variant)) return variant;
    return { ...variant, weight: Math.floor(dealt / shares) + (extra-- > 0 ? 1 : 0) };
  });
}

function isFixed({ weightType }: Variant): boolean {
  return weightType === "fix";
}

function fixedWeight(variants: readonly Variant[]): number {
  return variants.filter(isFixed).reduce((sum, { weight }) => sum + weight, 0);
}
