/** Lists that stay cheap to refuse: 250 KB of JSON can hold 100,000 elements, each of them wrong. */
import * as z from "zod/mini";
import { $constructor, type $ZodArrayDef, $ZodAsyncError } from "zod/v4/core";
import { states } from "./facts.ts";
import { limits } from "./limits.ts";

const MiniArray: typeof z.ZodMiniArray = z.ZodMiniArray;

interface Definition extends $ZodArrayDef {
  /** More elements than these are refused in these words, and none of them is looked at. */
  most?: number;
  tooLong?: string;
}

/** Zod's own array, but for where it stops: at so many faults the elements that follow are not looked at. */
const BoundedArray = $constructor<z.ZodMiniArray, Definition>("BoundedArray", (schema, definition) => {
  MiniArray.init(schema, definition);
  schema._zod.parse = (payload, context) => {
    const input = payload.value;
    if (!Array.isArray(input)) {
      payload.issues.push({ code: "invalid_type", expected: "array", input, inst: schema });
      return payload;
    }
    const { tooLong, most = Number.POSITIVE_INFINITY } = definition;
    if (input.length > most) {
      payload.issues.push({ code: "custom", message: tooLong, input, inst: schema });
      return payload;
    }
    const elements: unknown[] = [];
    for (let index = 0; index < input.length; index++) {
      const result = definition.element._zod.run({ value: input[index], issues: [] }, context);
      if (result instanceof Promise) throw new $ZodAsyncError();
      for (const issue of result.issues)
        payload.issues.push({ ...issue, path: [index, ...(issue.path ?? [])] });
      if (payload.issues.length >= limits.faults) break;
      elements.push(result.value);
    }
    payload.value = elements;
    return payload;
  };
});

export function list<Element extends z.ZodMiniType>(element: Element): z.ZodMiniArray<Element> {
  return new BoundedArray({ type: "array", element }) as z.ZodMiniArray<Element>;
}

/** A list whose length is judged before any of its elements. */
export function shortList<Element extends z.ZodMiniType>(element: Element, most: number, things: string) {
  const tooLong = `must have at most ${most} ${things}`;
  const schema = new BoundedArray({ type: "array", element, most, tooLong }) as z.ZodMiniArray<Element>;
  return schema.check(states({ maximum: most }));
}
