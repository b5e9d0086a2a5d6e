/** Bounded lists, text in code points, and JSON Schema facts. */
import * as z from "zod/mini";
import type { $ZodCheck } from "zod/v4/core";

interface Facts {
  /** Of a number, of a text's length in code points, or of a list's length. */
  minimum?: number;
  maximum?: number;
  format?: "safeint";
}

/** Checks nothing: tells `z.toJSONSchema` what a refinement checks, as Zod's own checks do. */
export function jsonSchemaFacts(facts: Facts): $ZodCheck<unknown> {
  const onattach = [({ _zod }: { _zod: { bag: object } }) => Object.assign(_zod.bag, facts)];
  return { _zod: { check() {}, def: { check: "custom" }, onattach } } as unknown as $ZodCheck<unknown>;
}

/** Text measured in Unicode code points, as JSON Schema does; a UTF-16 length would count an emoji twice. */
export function text(min: number, max = Number.POSITIVE_INFINITY) {
  const range = max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  return z.string().check(
    z.refine(
      (value) => {
        // A code point is one or two UTF-16 units: most texts need not be counted.
        if (value.length > 2 * max) return false;
        if (2 * min <= value.length && value.length <= max) return true;
        const length = [...value].length;
        return min <= length && length <= max;
      },
      `must have ${range} character${range.endsWith(" 1") ? "" : "s"}`,
    ),
    jsonSchemaFacts({ minimum: min, ...(Number.isFinite(max) && { maximum: max }) }),
  );
}

export function listOfAtMost<Element extends z.ZodMiniType>(element: Element, max: number, things: string) {
  return z.array(element).check(z.maxLength(max, `must have at most ${max} ${things}`));
}
