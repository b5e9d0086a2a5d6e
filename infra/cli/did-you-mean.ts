/** Suggests a known name in place of an unknown one. */
import { closest, distance } from "fastest-levenshtein";
import { printable } from "./printable.ts";

/** ` (did you mean "checkout"?)`, or nothing where no name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const names = new Map([...known].map((one) => [one.toLowerCase(), one]));
  if (names.size === 0) return "";
  const typed = name.toLowerCase();
  const nearest = closest(typed, [...names.keys()]);
  const isNear = distance(typed, nearest) <= Math.max(1, name.length * 0.4);
  return isNear ? ` (did you mean "${printable(names.get(nearest) ?? "")}"?)` : "";
}
