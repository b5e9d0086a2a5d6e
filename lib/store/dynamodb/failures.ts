/** Classifies failures of DynamoDB calls, and converts them to errors of the API. */
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { ApiError, toUnavailable } from "../../contract/errors.ts";

interface SdkError extends Error {
  code?: unknown;
  $retryable?: object;
  $metadata?: { httpStatusCode?: number };
  ThrottlingReasons?: { reason?: string }[];
  throttlingReasons?: { reason?: string }[];
}

/** DynamoDB did not respond in time. The SDK's own timeouts have this name too. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";

  constructor(ms: number) {
    super(`No response within ${Math.round(ms)} ms`);
  }
}

/** DynamoDB left a part of a batch unprocessed, usually because it throttles the table. */
export class Unprocessed extends Error {
  override readonly name = "Unprocessed";
}

const throttlingErrors = new Set([
  "Unprocessed",
  "ProvisionedThroughputExceededException",
  "ThrottlingException",
  "RequestLimitExceeded",
]);

export function isThrottled(error: unknown): error is SdkError {
  return error instanceof Error && throttlingErrors.has(error.name);
}

export function throttlingReasons(error: unknown): string[] {
  if (!isThrottled(error)) return [];
  const reasons = error.ThrottlingReasons ?? error.throttlingReasons ?? [{}];
  return reasons.map(({ reason = error.name }) => reason);
}

export function isConditionFailure(error: unknown): error is ConditionalCheckFailedException {
  return error instanceof Error && error.name === "ConditionalCheckFailedException";
}

/** DynamoDB has one name for all invalid requests: only the message identifies this one. */
export function isItemTooLarge(error: unknown): error is Error {
  return error instanceof Error && error.name === "ValidationException" && /item size/i.test(error.message);
}

export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, message, $retryable }: SdkError = error;
  // The SDK has corrected its clock by now. Its own mark, `$metadata.clockSkewCorrected`, cannot be used: refused
  // conditions have it too.
  const isClockSkew =
    name === "InvalidSignatureException" && /^Signature (expired|not yet current)/.test(message);
  const isRetryable = isThrottled(error) || isClockSkew || $retryable !== undefined;
  return isRetryable || mayBeStoredAfter(error) || isUnreadableRefusal(error);
}

/**
 * Whether the write may be stored, now or later: after a lost connection, a timeout, a 5xx, a proxy's page. Not after
 * the ApiError of a call that was not sent, whose `code` is not that of a lost connection.
 */
export function mayBeStoredAfter(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ApiError) return false;
  const { name, code, $metadata: { httpStatusCode: status } = {} }: SdkError = error;
  if (status === undefined) return typeof code === "string" || name === "TimeoutError";
  return status < 400 || status >= 500;
}

/** Whether the body of a refusal broke off, or is not JSON. Nothing was stored, but the reason is not known. */
function isUnreadableRefusal({ name, code, $metadata }: SdkError): boolean {
  return $metadata !== undefined && (name === "SyntaxError" || typeof code === "string");
}

/** A missing permission becomes a 503 as well: an operator can grant it. */
export function toFailure(error: unknown): unknown {
  const isDenied = error instanceof Error && error.name === "AccessDeniedException";
  return isDenied || isTransient(error) ? toUnavailable(error) : error;
}
