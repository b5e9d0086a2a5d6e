/** Schemas for bounded lists, and for text in code points. */
import * as z from "zod/mini";

/** Counts code points, as JSON Schema does: UTF-16 would count an emoji twice. */
export function textOfLength(min: number, max = Number.POSITIVE_INFINITY) {
  const range = max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  const hasLength = (value: string) => {
    // A code point is one or two UTF-16 units: most texts need no counting.
    if (value.length > 2 * max) return false;
    if (2 * min <= value.length && value.length <= max) return true;
    const length = [...value].length;
    return min <= length && length <= max;
  };
  const facts = { minLength: min, ...(Number.isFinite(max) && { maxLength: max }) };
  return z
    .string()
    .check(z.refine(hasLength, `must have ${range} character${range.endsWith(" 1") ? "" : "s"}`))
    .register(z.globalRegistry, facts);
}

export function listOfAtMost<Element extends z.ZodMiniType>(element: Element, max: number, things: string) {
  return z.array(element).check(z.maxLength(max, `must have at most ${max} ${things}`));
}
