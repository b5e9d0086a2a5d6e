/** A record schema that keeps only the first errors of its values: Zod would pass all as arguments of one call. */
import * as z from "zod/mini";
import { $constructor, $ZodAsyncError, type $ZodRecordDef } from "zod/v4/core";
import { limits } from "../../lib/contract/limits.ts";

const MiniRecord: typeof z.ZodMiniRecord = z.ZodMiniRecord;

const BoundedRecord = $constructor<z.ZodMiniRecord, $ZodRecordDef>("BoundedRecord", (schema, definition) => {
  MiniRecord.init(schema, definition);
  const { parse } = schema._zod;
  schema._zod.parse = (payload, context) => {
    const result = parse(payload, context);
    if (result instanceof Promise) throw new $ZodAsyncError();
    const { issues, value: input } = result;
    if (issues.length > limits.issues) {
      const dropped = issues.splice(limits.issues - 1);
      const message = `has ${dropped.length} more errors`;
      issues.push({ code: "custom", message, input, inst: schema });
    }
    return result;
  };
});

export function boundedRecord<Name extends z.ZodMiniType<string, string>, Value extends z.ZodMiniType>(
  name: Name,
  value: Value,
): z.ZodMiniRecord<Name, Value> {
  return new BoundedRecord({ type: "record", keyType: name, valueType: value }) as z.ZodMiniRecord<
    Name,
    Value
  >;
}
