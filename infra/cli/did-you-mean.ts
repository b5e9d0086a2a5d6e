/** Suggests a known name in place of an unknown one. */
import { distance } from "fastest-levenshtein";
import { printable } from "./printable.ts";

/** Returns ` (did you mean "checkout"?)`, or nothing where no name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const typed = name.toLowerCase();
  let nearest = { name: "", edits: Number.POSITIVE_INFINITY };
  for (const one of known) {
    const edits = editsBetween(typed, one.toLowerCase());
    if (edits < nearest.edits) nearest = { name: one, edits };
  }
  const isNear = nearest.edits <= Math.max(1, name.length * 0.4);
  return isNear ? ` (did you mean "${printable(nearest.name)}"?)` : "";
}

/** Suggests the nearest name, or else lists what there is: `; the project has development and production`. */
export function didYouMeanOr(name: string, known: Iterable<string>, has: string): string {
  const all = [...known];
  return didYouMean(name, all) || `; ${has} ${printable(listOf(all))}`;
}

const mostListed = 10;

/** `a`, `a and b`, `a, b and 3 more`, or `none`. */
export function listOf(names: readonly string[]): string {
  const more = names.length - mostListed;
  const shown = more > 0 ? [...names.slice(0, mostListed), `${more} more`] : names;
  const [last = "none", ...others] = shown.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}

/** Two letters that changed places, as in "bleu", are one edit. */
function editsBetween(typed: string, known: string): number {
  const edits = distance(typed, known);
  return edits === 2 && sorted(typed) === sorted(known) ? 1 : edits;
}

function sorted(text: string): string {
  return [...text].sort().join("");
}
