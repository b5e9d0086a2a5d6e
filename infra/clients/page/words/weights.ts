/** Finds the sum of a list's weights, of which each is a share: 1000 after a patch, and any sum if an operator stored them. */
import type { ShownEnvironment, Variants } from "../requests/shown.ts";

export const totalAfterPatch = 1000;

/** Returns the sum of weights that are stored; a state file or an import may have stored weights of any sum. */
export function totalOf(variants: Variants): number {
  const weights = Object.values(variants).map(({ weight }) => weight);
  return weights.reduce((sum, weight) => sum + weight, 0) || totalAfterPatch;
}

/**
 * Returns the total of the weights after a draft. Before the reply to its dry run, and where that fails, a patch is shown as
 * it was typed, so that its weights do not sum to 1000 yet. An undo restores weights of any sum.
 */
export function totalAfter(before: Variants, after: Variants, isUndo: boolean): number {
  return isUndo || weightsIn(before) === weightsIn(after) ? totalOf(after) : totalAfterPatch;
}

function weightsIn(variants: Variants): string {
  return JSON.stringify(Object.entries(variants).map(([name, { weight }]) => [name, weight]));
}

/** Whether the weights of each list of the environment sum to 1000. A list without weights counts as if they did. */
export function hasNormalisedWeights({ variants, strategies }: ShownEnvironment): boolean {
  const lists = [variants, ...Object.values(strategies).map((strategy) => strategy.variants)];
  return lists.every((list) => totalOf(list) === totalAfterPatch);
}
