/** Classifies failures of DynamoDB calls, and converts them to errors of the API. */
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { toUnavailable } from "../contract/errors.ts";

interface SdkError extends Error {
  code?: unknown;
  $retryable?: object;
  $metadata?: { httpStatusCode?: number };
  ThrottlingReasons?: { reason?: string }[];
  throttlingReasons?: { reason?: string }[];
}

/** An attempt that was given up. */
export class NoResponse extends Error {
  override readonly name = "TimeoutError";

  constructor(ms: number) {
    super(`No response within ${Math.round(ms)} ms`);
  }
}

/** A part of a batch was not processed: as a rule because the table is throttled. */
export class Unprocessed extends Error {
  override readonly name = "Unprocessed";
}

const throttled = new Set([
  "Unprocessed",
  "ProvisionedThroughputExceededException",
  "ThrottlingException",
  "RequestLimitExceeded",
]);

export function isThrottled(error: unknown): error is SdkError {
  return error instanceof Error && throttled.has(error.name);
}

export function throttlingReasons(error: unknown): string[] {
  if (!isThrottled(error)) return [];
  const reasons = error.ThrottlingReasons ?? error.throttlingReasons ?? [{}];
  return reasons.map(({ reason = error.name }) => reason);
}

export function isConditionFailure(error: unknown): error is ConditionalCheckFailedException {
  return error instanceof Error && error.name === "ConditionalCheckFailedException";
}

/** Only the message identifies an oversized item: DynamoDB has one name for all invalid requests. */
export function isItemTooLarge(error: unknown): error is Error {
  return error instanceof Error && error.name === "ValidationException" && /item size/i.test(error.message);
}

/** Whether another attempt may succeed. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, message, $retryable }: SdkError = error;
  // The SDK has corrected its clock by now. Its own mark of that is on every error, refused conditions included.
  const isOfClock =
    name === "InvalidSignatureException" && /^Signature (expired|not yet current)/.test(message);
  return isThrottled(error) || isBroken(error) || isOfClock || $retryable !== undefined;
}

/** Whether an attempt that failed with this may be stored, now or later. */
export function mayBeStoredAfter(error: unknown): boolean {
  return error instanceof Error && isBroken(error);
}

/** No response that can be read: a lost connection, a timeout, a failed server, a success with a proxy's page. */
function isBroken({ name, code, $metadata: { httpStatusCode: status } = {} }: SdkError): boolean {
  if (status === undefined) return typeof code === "string" || name === "TimeoutError";
  return status < 400 || status >= 500;
}

/** Transient failures become 503, like a permission that an operator can give; others are returned as they are. */
export function toFailure(error: unknown): unknown {
  const isDenied = error instanceof Error && error.name === "AccessDeniedException";
  return isDenied || isTransient(error) ? toUnavailable(error) : error;
}
