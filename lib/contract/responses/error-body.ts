/** The bodies of errors. */
import * as z from "zod/mini";
import type { ValueIssue } from "../json.ts";

/** Distinguishes errors that have the same status, where a program has to handle them differently. */
export const errorCodeSchema = z.enum([
  "outcome-unknown",
  "applied",
  "undone",
  "changed-meanwhile",
  "gave-up",
  "exists",
  "key-used",
  "cannot-undo",
  "too-many-moves",
]);

/** One issue of what a patch built. */
export const issueSchema = z.object({
  /** A JSON Pointer into what the patch built: the variants, the environment or the strategy. */
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

/** A dry run has `would patch` where the write would have `patched`. */
export const outcomeSchema = z.enum(outcomes);

/** An issue of the body, a missing permission, or the outcome of one environment or of one feature of a trip. */
export const detailSchema = z.object({
  /** A JSON Pointer into the body of the request. */
  path: z.exactOptional(z.string()),
  /** The name of the environment whose outcome this is. */
  environment: z.exactOptional(z.string()),
  /** The name of the feature, in an error of a trip. */
  feature: z.exactOptional(z.string()),
  /** The id of the feature's change, in an error of a trip. */
  change: z.exactOptional(z.string()),
  /**
   * `patched`: this attempt has written it, or a parallel one since this attempt read it. `already patched`: it was
   * written before this attempt read it. `failed`: it was not written here; with the code `outcome-unknown` it
   * may be. `not attempted`: nothing was written here, because the request failed elsewhere. Only a trip has `undone`,
   * `would undo` and `changed since`.
   */
  outcome: z.exactOptional(z.enum([...outcomes, "undone", "would undo", "changed since"])),
  /** The `code` of the error in this environment. */
  code: z.exactOptional(errorCodeSchema),
  /** What is wrong, for a person. Its wording is not part of the contract. */
  message: z.exactOptional(z.string()),
  /** Every issue of what the patch built here, at most {@link limits.listedIssues}. */
  issues: z.exactOptional(z.array(issueSchema)),
});

/** The body of an error that API Gateway itself returns. */
export const gatewayErrorSchema = z.object({
  /** What is wrong, for a person. */
  message: z.string(),
});

/** The body of every other error. */
export const errorSchema = z.object({
  /** Identifies this error. The log line of the request has it too. */
  id: z.uuid(),
  /** The kind of error: one for each status. */
  name: z.string(),
  /**
   * What is wrong, for a program; absent where the status says enough.
   * - `outcome-unknown`: it is not known whether the write was stored.
   * - `applied`: the request was applied, and only its response is missing: the response would be too large, the
   *   strategy was removed since, or what was created could not be read.
   * - `undone`: the request was applied, and has been undone since in at least one environment.
   * - `changed-meanwhile`: the ETag of `If-Match` stopped matching after the request had written some environments.
   * - `gave-up`: write conflicts repeated until the deadline.
   * - `exists`: the feature or the strategy is there already.
   * - `key-used`: the idempotency key belongs to another request, or is too old.
   * - `cannot-undo`: the change cannot be undone, or not yet.
   * - `too-many-moves`: more users would move than `Burgee-Most-Moves` allows, or it is not known how many.
   */
  code: z.exactOptional(errorCodeSchema),
  /** What is wrong, for a person. Its wording is not part of the contract. */
  message: z.string(),
  /** The id of the change that has undone the request, with the code `undone`. */
  undoneBy: z.exactOptional(z.string()),
  /**
   * Every issue of the body (at most {@link limits.listedIssues}), every missing permission, or every environment
   * with its outcome, or every feature of a trip.
   */
  details: z.exactOptional(z.array(detailSchema)),
});

export type OutcomeName = z.infer<typeof outcomeSchema>;
export type ErrorCode = z.infer<typeof errorCodeSchema>;
type DetailMembers = z.infer<typeof detailSchema>;
export type MissingPermissionDetail = Required<Pick<DetailMembers, "message">>;
export type EnvironmentOutcome = Required<Pick<DetailMembers, "environment" | "outcome">> &
  Pick<DetailMembers, "code" | "message" | "issues">;
export type FeatureOutcome = Required<Pick<DetailMembers, "feature" | "outcome">> &
  Pick<DetailMembers, "change" | "code" | "message">;
/**
 * An entry in the details of an error, which are all of one type. Their schema is one, because generated clients cannot
 * distinguish objects by the members that they have.
 */
export type Detail = ValueIssue | MissingPermissionDetail | EnvironmentOutcome | FeatureOutcome;
export type ErrorBody = z.infer<typeof errorSchema>;
