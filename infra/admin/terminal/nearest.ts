/** Suggests a known name in place of an unknown one. */
import { closest, distance } from "fastest-levenshtein";
import { printable } from "../../printable.ts";

/** ` (did you mean "checkout"?)`, or nothing where no name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const names = [...known];
  if (names.length === 0) return "";
  const exactButForCase = names.find((one) => one.toLowerCase() === name.toLowerCase());
  const nearest = exactButForCase ?? closest(name, names);
  const isNear = exactButForCase !== undefined || distance(name, nearest) <= Math.max(1, name.length * 0.4);
  return isNear ? ` (did you mean "${printable(nearest)}"?)` : "";
}
