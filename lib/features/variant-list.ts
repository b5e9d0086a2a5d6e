/** A list of variants: its weights, its order and its size. */
import { ValidationError } from "../contract/errors.ts";
import { findExcess } from "../contract/json-bounds.ts";
import { limits } from "../contract/limits.ts";
import { type Variant, weightTotal } from "../contract/variants.ts";
import { storedBytes } from "./stored-bytes.ts";

/** Makes the weights sum to 1000, and sorts by name. Throws if the fix weights leave no room for that. */
export function normalise(variants: readonly Variant[]): Variant[] {
  const issue = weightIssue(variants);
  if (issue !== undefined) throw new ValidationError(`The patched variants are invalid: ${issue}`);
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

/** Whether the weights are as a patch would leave them. An import may have stored others. */
export function isSharedEvenly(variants: readonly Variant[]): boolean {
  const shares = variants.filter((variant) => !isFixed(variant)).map(({ weight }) => weight);
  const sum = shares.reduce((total, weight) => total + weight, fixedWeight(variants));
  return shares.length === 0 || (sum === weightTotal && Math.max(...shares) - Math.min(...shares) <= 1);
}

/** What may surprise in the weights of a patch that sent these variants. */
export function weightHint(
  before: readonly Variant[],
  sent: readonly Variant[],
  after: readonly Variant[],
): string | undefined {
  const weightsOf = (variants: readonly Variant[]) =>
    new Map(variants.map(({ name, weight }) => [name, weight]));
  const [had, has] = [weightsOf(before), weightsOf(after)];
  const moved = sent.filter(({ name, weight }) => weight !== has.get(name));
  const lost = moved.find(({ name, weight }) => weight !== (had.get(name) ?? 0));
  if (lost) {
    return `The weight ${lost.weight} of variant "${lost.name}" has no effect: variable variants share evenly what the fix ones leave; set weightType to fix to keep it`;
  }
  const shared = isSharedEvenly(before) ? undefined : moved.find(({ name }) => had.has(name));
  return (
    shared &&
    `The weight of variant "${shared.name}" goes from ${shared.weight} to ${has.get(shared.name)}: variable variants share evenly what the fix ones leave, and the stored weights did not; set weightType to fix to keep a weight`
  );
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
