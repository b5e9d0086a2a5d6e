/** A list of variants: its weights and its order. */
import { ValidationError } from "../../contract/errors.ts";
import { type Variant, weightTotal } from "../../contract/variants.ts";

/** Makes the weights sum to 1000, and sorts by name. Throws as `requireWeights` does. */
export function completeVariants(variants: readonly Variant[]): Variant[] {
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

type Weighted = Pick<Variant, "name" | "weight" | "weightType">;

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

/**
 * Whether the weights are as a patch would leave them. An import may have stored others, such as 900 and 100, both
 * variable.
 */
export function isSharedEvenly(variants: readonly Weighted[]): boolean {
  const weights = variants.filter((variant) => !hasFixedWeight(variant)).map(({ weight }) => weight);
  const sum = weights.reduce((total, weight) => total + weight, fixedWeight(variants));
  return weights.length === 0 || (sum === weightTotal && Math.max(...weights) - Math.min(...weights) <= 1);
}

/**
 * Warns of a weight that normalising has changed:
 *
 *   the patch had set it        blue and red have 500 each, the patch sets blue to 300, and normalising to 500 again
 *   the patch had not set it    an import stored blue with 300 and red with 700, both variable; both get 500
 */
export function weightHint(
  before: readonly Weighted[],
  parsed: readonly Weighted[],
  after: readonly Weighted[],
): string | undefined {
  const weightsOf = (variants: readonly Weighted[]) =>
    new Map(variants.map(({ name, weight }) => [name, weight]));
  const [weightBefore, weightAfter] = [weightsOf(before), weightsOf(after)];
  const normalised = parsed.filter(({ name, weight }) => weight !== weightAfter.get(name));
  const withoutEffect = normalised.find(({ name, weight }) => weight !== (weightBefore.get(name) ?? 0));
  if (withoutEffect) {
    return `The weight ${withoutEffect.weight} of variant "${withoutEffect.name}" has no effect: variable variants share evenly what the fix ones leave; set weightType to fix to keep it`;
  }
  const renormalised = isSharedEvenly(before)
    ? undefined
    : normalised.find(({ name }) => weightBefore.has(name));
  return (
    renormalised &&
    `The weight of variant "${renormalised.name}" goes from ${renormalised.weight} to ${weightAfter.get(renormalised.name)}: variable variants share evenly what the fix ones leave; set weightType to fix to keep it`
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
