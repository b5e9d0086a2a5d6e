/** Suggests a known name in place of an unknown one. */
import { distance } from "fastest-levenshtein";
import { printable } from "./printable.ts";

/** ` (did you mean "checkout"?)`, or nothing where no name is near. */
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

/** Two letters that changed places, as in "bleu", are one edit. */
function editsBetween(typed: string, known: string): number {
  const edits = distance(typed, known);
  return edits === 2 && sorted(typed) === sorted(known) ? 1 : edits;
}

function sorted(text: string): string {
  return [...text].sort().join("");
}
