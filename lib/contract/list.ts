/** Lists that stay cheap to refuse: 250 KB of JSON can hold 100,000 elements, each of them wrong. */
import * as z from "zod/mini";
import { limits } from "./limits.ts";

const MiniArray: typeof z.ZodMiniArray = z.ZodMiniArray;

/** Zod's own array, but for where it stops: at so many faults the elements that follow are not looked at. */
const BoundedArray = z.core.$constructor<z.ZodMiniArray>("BoundedArray", (schema, definition) => {
  MiniArray.init(schema, definition);
  schema._zod.parse = (payload, context) => {
    const input = payload.value;
    if (!Array.isArray(input)) {
      payload.issues.push({ code: "invalid_type", expected: "array", input, inst: schema });
      return payload;
    }
    const elements: unknown[] = [];
    for (const [index, value] of input.entries()) {
      const result = definition.element._zod.run({ value, issues: [] }, context);
      if (result instanceof Promise) throw new z.core.$ZodAsyncError();
      payload.issues.push(...z.core.util.prefixIssues(index, result.issues));
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
  const fits = z.maxLength(most, { error: `must have at most ${most} ${things}`, abort: true });
  return z.pipe(z.array(z.unknown()).check(fits), list(element));
}
