/** The body of every error, on every route. */
import * as z from "zod/mini";

/** One issue of a body, or the outcome of one environment. `path` is a JSON Pointer into the request's body. */
export const detailSchema = z.object({
  path: z.exactOptional(z.string()),
  environment: z.exactOptional(z.string()),
  outcome: z.exactOptional(z.enum(["patched", "unchanged", "failed", "not attempted"])),
  message: z.exactOptional(z.string()),
});

export const errorSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  message: z.string(),
  details: z.exactOptional(z.array(detailSchema)),
});

export type Detail = z.infer<typeof detailSchema>;
export type ErrorBody = z.infer<typeof errorSchema>;
