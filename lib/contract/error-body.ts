/** The bodies of errors. */
import * as z from "zod/mini";

/** Why a request was refused or failed, where programs have to distinguish it from other errors of the same status. */
export const errorCodeSchema = z.enum(["outcome-unknown", "undone", "changed-meanwhile", "gave-up"]);

/** What is wrong in one place. */
export const issueSchema = z.object({
  /** A JSON Pointer into what the patch made: of the variants, the environment or the strategy. */
  path: z.exactOptional(z.string()),
  /** What is wrong, for a person. Its wording is not part of the contract. */
  message: z.exactOptional(z.string()),
});

const outcomes = [
  "patched",
  "already patched",
  "would patch",
  "unchanged",
  "failed",
  "not attempted",
] as const;

/** A dry run has `would patch` where a request has `patched`. */
export const outcomeSchema = z.enum(outcomes);

/** An issue of the body, a missing permission, or the outcome of one environment. */
export const detailSchema = z.object({
  /** A JSON Pointer into the body of the request. */
  path: z.exactOptional(z.string()),
  environment: z.exactOptional(z.string()),
  /** Of a trip of a guard: the feature, and the id of its change. */
  feature: z.exactOptional(z.string()),
  change: z.exactOptional(z.string()),
  /**
   * `already patched`: an earlier attempt of the request has patched it. `not attempted`: nothing was written here, because
   * the request failed in another environment. `undone` and `changed since` are of a trip.
   */
  outcome: z.exactOptional(z.enum([...outcomes, "undone", "would undo", "changed since"])),
  /** As the `code` of the error, for this environment. */
  code: z.exactOptional(errorCodeSchema),
  /** What is wrong, for a person. Its wording is not part of the contract. */
  message: z.exactOptional(z.string()),
  /** Every issue of what the patch made here, at most {@link limits.issues}. */
  issues: z.exactOptional(z.array(issueSchema)),
});

/** The body of an error of API Gateway itself. */
export const gatewayErrorSchema = z.object({
  message: z.string(),
});

/** The body of every other error. */
export const errorSchema = z.object({
  /** Identifies this error, in the log line of the request as well. */
  id: z.uuid(),
  /** The kind of error: one for each status. */
  name: z.string(),
  /**
   * `outcome-unknown`: it is not known whether the write was stored. `undone`: the request was made, and undone since.
   * `changed-meanwhile`: what is stored was changed or deleted while the request ran. `gave-up`: the time ran out during
   * repeated write conflicts.
   */
  code: z.exactOptional(errorCodeSchema),
  message: z.string(),
  /** The id of the change that has undone the request, with the code `undone`. */
  undoneBy: z.exactOptional(z.string()),
  /** Every issue of the body (at most {@link limits.issues}), every missing permission, or every environment with its outcome. */
  details: z.exactOptional(z.array(detailSchema)),
});

export type ErrorCode = z.infer<typeof errorCodeSchema>;
export type Detail = z.infer<typeof detailSchema>;
export type ErrorBody = z.infer<typeof errorSchema>;
