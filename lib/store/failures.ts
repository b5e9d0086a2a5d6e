/** Classifies failures of DynamoDB calls, and converts them to errors of the API. */
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { TemporarilyUnavailable } from "../contract/errors.ts";

const throttled = new Set([
  "ProvisionedThroughputExceededException",
  "ThrottlingException",
  "RequestLimitExceeded",
]);

export function isThrottled(error: unknown): error is Error {
  return error instanceof Error && throttled.has(error.name);
}

export function isConditionFailure(error: unknown): error is ConditionalCheckFailedException {
  return error instanceof Error && error.name === "ConditionalCheckFailedException";
}

interface SdkError extends Error {
  code?: unknown;
  $metadata?: { httpStatusCode?: number; attempts?: number };
}

/** Throttling, a 5xx, a lost connection and a timeout become 503; other errors are returned as they are. */
export function toFailure(error: unknown, lastFailure = error): unknown {
  if (!(error instanceof Error)) return error;
  const { name, code, $metadata }: SdkError = error;
  const status = $metadata?.httpStatusCode;
  const isUnreachable =
    status === undefined && (typeof code === "string" || /^(Timeout|Abort)Error$/.test(name));
  const isServerError = status !== undefined && status >= 500;
  if (!isUnreachable && !isServerError && !isThrottled(error)) return error;
  return new TemporarilyUnavailable("The database is temporarily unavailable", { cause: lastFailure });
}

/**
 * Adds that the outcome of a write is not known. An error without a cause was thrown before the call was sent, and is
 * returned as it is, unless an earlier attempt was sent.
 */
export function withUnknownOutcome(error: unknown, { wasRetried = false } = {}): unknown {
  if (!(error instanceof TemporarilyUnavailable)) return error;
  if (error.cause === undefined && !wasRetried) return error;
  const message = `${error.message}; it is not known whether the write was stored`;
  return new TemporarilyUnavailable(message, { cause: error.cause });
}

/** Only the message identifies an oversized item: DynamoDB has one name for all invalid requests. */
export function isItemTooLarge(error: unknown): boolean {
  return error instanceof Error && error.name === "ValidationException" && /item size/i.test(error.message);
}

export function attemptsOf(error: unknown): number {
  return (error as SdkError | undefined)?.$metadata?.attempts ?? 1;
}
