/** Everything that reaches into Zod's core: bounded lists, text in code points, and JSON Schema facts. */
import * as z from "zod/mini";
import { $constructor, type $ZodArrayDef, $ZodAsyncError, type $ZodCheck } from "zod/v4/core";
import { limits } from "./limits.ts";

interface Facts {
  /** Of a number, of a text's length in code points, or of a list's length. */
  minimum?: number;
  maximum?: number;
  format?: "safeint";
  patterns?: ReadonlySet<RegExp>;
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

const MiniArray: typeof z.ZodMiniArray = z.ZodMiniArray;

interface BoundedArrayDefinition extends $ZodArrayDef {
  /** A longer list is refused with this message, and none of its elements is validated. */
  max?: number;
  tooLong?: string;
}

/**
 * Like Zod's own array, but with a maximum, and it stops after some issues. Of 131,000 invalid elements, which a body can
 * hold, Zod's validates all: 0.6 seconds in a list, and a stack overflow in a list within an object.
 */
const BoundedArray = /* @__PURE__ */ $constructor<z.ZodMiniArray, BoundedArrayDefinition>(
  "BoundedArray",
  (schema, definition) => {
    MiniArray.init(schema, definition);
    schema._zod.parse = (payload, context) => {
      const input = payload.value;
      if (!Array.isArray(input)) {
        payload.issues.push({ code: "invalid_type", expected: "array", input, inst: schema });
        return payload;
      }
      const { tooLong, max = Number.POSITIVE_INFINITY } = definition;
      if (input.length > max) {
        payload.issues.push({ code: "custom", message: tooLong, input, inst: schema });
        return payload;
      }
      const elements: unknown[] = [];
      for (let index = 0; index < input.length; index++) {
        const result = definition.element._zod.run({ value: input[index], issues: [] }, context);
        if (result instanceof Promise) throw new $ZodAsyncError();
        for (const issue of result.issues)
          payload.issues.push({ ...issue, path: [index, ...(issue.path ?? [])] });
        if (payload.issues.length >= limits.issues) break;
        elements.push(result.value);
      }
      payload.value = elements;
      return payload;
    };
  },
);

export function list<Element extends z.ZodMiniType>(element: Element): z.ZodMiniArray<Element> {
  return new BoundedArray({ type: "array", element }) as z.ZodMiniArray<Element>;
}

/** A list whose length is validated before any of its elements. */
export function listOfAtMost<Element extends z.ZodMiniType>(element: Element, max: number, things: string) {
  const tooLong = `must have at most ${max} ${things}`;
  const schema = new BoundedArray({ type: "array", element, max, tooLong }) as z.ZodMiniArray<Element>;
  return schema.check(jsonSchemaFacts({ maximum: max }));
}
