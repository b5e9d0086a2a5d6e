/** The body of every error, on every route. */
import * as z from "zod/mini";

/** One issue of a body, or the outcome of one environment. */
export const detailSchema = z.object({
  /** A JSON Pointer into the body of the request. */
  path: z.exactOptional(z.string()),
  /** The name of the environment. */
  environment: z.exactOptional(z.string()),
  /** `not attempted`: the request had stopped before this environment. */
  outcome: z.exactOptional(z.enum(["patched", "unchanged", "failed", "not attempted"])),
  message: z.exactOptional(z.string()),
});

/** The body of every error. */
export const errorSchema = z.object({
  /** Identifies this error, in the log line of the request as well. */
  id: z.uuid(),
  /** The kind of error: one for each status. */
  name: z.string(),
  /** What is wrong, for a person. Its wording is not part of the contract. */
  message: z.string(),
  /** Every issue of the body (at most {@link limits.issues}), or every environment with its outcome. */
  details: z.exactOptional(z.array(detailSchema)),
});

export type Detail = z.infer<typeof detailSchema>;
export type ErrorBody = z.infer<typeof errorSchema>;
