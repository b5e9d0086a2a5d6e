/** Describes a tool to clients. */
import * as z from "zod/mini";

export function toTool<In extends z.ZodMiniType, Out extends z.ZodMiniType>(
  description: string,
  input: In,
  output: Out,
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean } = { readOnlyHint: true },
) {
  const shapes = { inputSchema: withJsonSchema(input), outputSchema: withJsonSchema(output) };
  return { description, annotations, ...shapes };
}

/** Zod's mini build has no JSON Schema of its own. */
function withJsonSchema<Type extends z.ZodMiniType>(schema: Type) {
  const toJson = (io: "input" | "output") => () => z.toJSONSchema(schema, { io });
  const jsonSchema = { input: toJson("input"), output: toJson("output") };
  return { "~standard": { ...schema["~standard"], jsonSchema } };
}
