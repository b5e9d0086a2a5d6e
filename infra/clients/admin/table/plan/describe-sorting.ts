/** Describes which users move because variants are stored in the API's order, not in the given one. */
import { formatPercent } from "../../../../../lib/features/moves/moved-share.ts";
import { printable } from "../../../../cli/printable.ts";
import type { SortedVariants } from "../../../../store/merge.ts";
import type { PlannedWrite } from "./plan-writes.ts";

/** Returns undefined if no such variants are written. */
export function describeSorting(
  sorted: readonly SortedVariants[],
  writes: readonly PlannedWrite[],
): string | undefined {
  const written = new Set(writes.filter(({ kind }) => kind === "feature").map(({ name }) => name));
  const ofWritten = sorted.filter(({ feature }) => written.has(feature));
  const [first, ...others] = ofWritten;
  if (!first) return undefined;
  const most = others.reduce((one, other) => (other.share > one.share ? other : one), first);
  const count = new Set(ofWritten.map(({ feature }) => feature)).size;
  const features = count === 1 ? "1 feature" : `${count} features`;
  const where = printable(`${most.feature} in ${most.environment}`);
  return `Sorts the variants of ${features} by name: ${formatPercent(most.share)} of the users of ${where} get another one than by the order that was given.`;
}
