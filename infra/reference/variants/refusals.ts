/** What the operations on variants refuse. */
import type { Detail } from "../../../lib/contract/error-body.ts";
import {
  type ApiError,
  ConflictError,
  NoAccessError,
  NotFoundError,
  PreconditionFailed,
  ValidationError,
} from "../../../lib/contract/errors.ts";
import { refusal } from "../answers.ts";
import { wrongDryRun } from "../refusals.ts";
import { etag } from "./examples.ts";

export const allow = "GET, PATCH";

export const noSuchFeature = {
  "No such feature": new NotFoundError('project "default" has no feature "nothing"'),
};

export const noSuchEnvironment = {
  "No such environment": new NotFoundError('feature "checkout" has no environment "staging"'),
};

/** Of every patch, in one environment or in all. */
export const invalid = {
  "Not as the schema has it": new ValidationError(
    "the body does not conform: /0/op must be one of add, remove, replace, copy, move (and 1 more)",
    {
      details: [
        { path: "/0/op", message: "must be one of add, remove, replace, copy, move" },
        { path: "/1/from", message: "is required" },
      ],
    },
  ),
  "Not entity tags": new ValidationError('if-match must be * or entity tags in quotes, as in "abc"'),
  ...wrongDryRun,
};

export const overtaken = "others changed it at every try, and the time is used up; nothing was written";

export const keyUsed = {
  "The key of another body": new ConflictError(
    "its idempotency-key came with another body before: a new request needs a new key",
  ),
};

export const unmet = refusal(
  "the variants are not those that `if-match` names. Nothing was written. The `etag` is the current one.",
  {
    "Changed by others": new PreconditionFailed(
      "the variants are not those of if-match any more; nothing was written",
      { headers: { etag } },
    ),
  },
);

export function missingPermissionIn(environment: string): NoAccessError {
  return new NoAccessError(
    `the API key lacks the permission UPDATE_FEATURE_ENVIRONMENT_VARIANTS in environment "${environment}" of project "default"`,
  );
}

/** The patch failed in this environment; `others` tells of those before it and after it. */
export function failedIn(
  environment: string,
  error: ApiError,
  { before = [], after = [] }: { before?: Detail[]; after?: Detail[] } = {},
): ApiError {
  const { message } = error;
  const details: Detail[] = [...before, { environment, outcome: "failed", message }, ...after];
  return error.restated(`environment "${environment}": ${message}`, details);
}

export function outOfRange(index: number): string {
  return `operation 0 (replace /${index}/stickiness): index ${index} is not in a list of ${index}`;
}
