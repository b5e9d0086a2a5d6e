/** Describes a tool to clients. */
import type * as z from "zod/mini";
import { withJsonSchema } from "./tool-schemas.ts";

export function toTool<In extends z.ZodMiniType, Out extends z.ZodMiniType>(
  description: string,
  input: In,
  output: Out,
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean } = { readOnlyHint: true },
) {
  const shapes = { inputSchema: withJsonSchema(input), outputSchema: withJsonSchema(output) };
  return { description, annotations, ...shapes };
}
