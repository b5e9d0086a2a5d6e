/** Objects that a request can hold a thousand of: their check is made a function of its own when it is first used. */
import * as z from "zod/mini";
import { $constructor, type $ZodObjectDef, $ZodObjectJIT } from "zod/v4/core";

const MiniObject: typeof z.ZodMiniObject = z.ZodMiniObject;

/** Zod's classic objects are compiled, its mini ones interpreted; this is a mini one that is compiled. */
const CompiledObject = $constructor<z.ZodMiniObject, $ZodObjectDef>(
  "CompiledObject",
  (schema, definition) => {
    $ZodObjectJIT.init(schema, definition);
    MiniObject.init(schema, definition);
  },
);

export function compiled<Object extends z.ZodMiniObject>({ _zod: { def } }: Object): Object {
  return new CompiledObject(def) as unknown as Object;
}
