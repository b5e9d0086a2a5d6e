/** An answer or an error, as API Gateway wants it. */
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import type { ErrorBody } from "../contract/error-body.ts";
import { ApiError, InternalError } from "../contract/errors.ts";
import { outcomesHeader } from "./outcomes.ts";
import type { Answer } from "./route.ts";

const always = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

export function respond({ status, headers, body, outcomes }: Answer): APIGatewayProxyStructuredResultV2 {
  const all = { ...always, ...headers, ...outcomesHeader(outcomes) };
  if (body === undefined) return { statusCode: status, headers: all };
  return {
    statusCode: status,
    headers: { "content-type": "application/json", ...all },
    body: JSON.stringify(body),
  };
}

/** Whatever was thrown becomes one of our errors; what is unknown tells the caller nothing but an id. */
export function toApiError(thrown: unknown): ApiError {
  return thrown instanceof ApiError ? thrown : new InternalError("something failed", { cause: thrown });
}

export function respondError(error: ApiError, id: string): APIGatewayProxyStructuredResultV2 {
  const { status, name, message, details, headers } = error;
  const body: ErrorBody = { id, name, message, ...(details && { details: [...details] }) };
  return respond({ status, headers, body });
}
