/** Damages a valid body in a few places. */
import fc from "fast-check";
import { literal } from "./hostile.ts";

export const changes = fc.array(fc.tuple(fc.nat(), literal), { minLength: 1, maxLength: 3 });

/** Replaces values and names of members. */
export function changeValues(json: string, changed: readonly [at: number, literal: string][]): string {
  return changed.reduce((text, [at, put]) => {
    const scalars = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*|true|false|null|\[\]|\{\}/g)];
    const chosen = scalars[at % scalars.length];
    if (!chosen) return put;
    return text.slice(0, chosen.index) + put + text.slice(chosen.index + chosen[0].length);
  }, json);
}

const pieces = [
  "",
  "",
  ",",
  "{",
  "}",
  "[",
  "]",
  '"',
  "\\",
  "\u0000",
  "\ufeff",
  "\u2028",
  "//",
  "NaN",
  '"op":"add",',
];
export const cuts = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 4 }), fc.constantFrom(...pieces)), {
  minLength: 1,
  maxLength: 4,
});

/** Replaces ranges of characters. */
export function cutText(json: string, cut: readonly [at: number, length: number, piece: string][]): string {
  return cut.reduce((text, [at, length, piece]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + piece + text.slice(from + length);
  }, json);
}
