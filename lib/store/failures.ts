/** What a failed call to DynamoDB means to a caller of the API. */
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { TemporarilyUnavailable } from "../contract/errors.ts";

const throttled = new Set([
  "ProvisionedThroughputExceededException",
  "ThrottlingException",
  "RequestLimitExceeded",
]);

interface SdkError extends Error {
  code?: unknown;
  $metadata?: { httpStatusCode?: number; attempts?: number };
}

/** Throttled, unreachable or late becomes 503; the rest is left as it is, for those who know what it means. */
export function toFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, code, $metadata }: SdkError = error;
  const answered = $metadata?.httpStatusCode;
  const unreachable =
    answered === undefined && (typeof code === "string" || /^(Timeout|Abort)Error$/.test(name));
  const failing = answered !== undefined && answered >= 500;
  if (!unreachable && !failing && !isThrottled(error)) return error;
  return new TemporarilyUnavailable("the database did not answer in time", { cause: error });
}

export function isThrottled(error: unknown): boolean {
  return error instanceof Error && throttled.has(error.name);
}

export function isConditionFailure(error: unknown): error is ConditionalCheckFailedException {
  return error instanceof ConditionalCheckFailedException;
}

/** DynamoDB has one name for all that it finds wrong with a request; the words tell the item's size apart. */
export function isItemTooLarge(error: unknown): boolean {
  return error instanceof Error && error.name === "ValidationException" && /item size/i.test(error.message);
}
