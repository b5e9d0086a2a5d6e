/** Kinds of field that several schemas share. */
import * as z from "zod/mini";
import { states } from "./facts.ts";

/** Text measured in Unicode code points, as JSON Schema does; a UTF-16 length would count an emoji twice. */
export function text(least: number, most = Number.POSITIVE_INFINITY) {
  const range = most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
  return z.string().check(
    z.refine(
      (value) => {
        // A code point is one or two UTF-16 units: most texts need not be counted.
        if (value.length > 2 * most) return false;
        if (2 * least <= value.length && value.length <= most) return true;
        const length = [...value].length;
        return least <= length && length <= most;
      },
      `must have ${range} character${range.endsWith(" 1") ? "" : "s"}`,
    ),
    states({ minimum: least, ...(Number.isFinite(most) && { maximum: most }) }),
  );
}
