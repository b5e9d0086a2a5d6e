/** Makes a Lambda handler of routes. It never throws, and writes one log line for each request. */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import type { Detail, ErrorBody } from "../contract/error-body.ts";
import { type ApiError, toApiError, ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Service } from "../service.ts";
import { dispatch } from "./dispatch.ts";
import { describeError, type LogEntry, outcomesByEnvironment, writeLog } from "./log.ts";
import type { Answer, Route } from "./route.ts";

export type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export function createHandler<Store>(service: Service<Store>, routes: readonly Route<Store>[]): Handler {
  let coldStart = true;
  const initMs = Math.round(performance.now());
  return async function handler(event, context) {
    const startedAt = performance.now();
    const entry: LogEntry = {
      requestId: event?.requestContext?.requestId ?? context.awsRequestId,
      coldStart,
      ...(coldStart && { initMs }),
    };
    coldStart = false;
    const invocation = service(() => context.getRemainingTimeInMillis());
    let result: APIGatewayProxyStructuredResultV2;
    try {
      const answer = await dispatch(event, invocation, routes, entry);
      entry.environments = outcomesByEnvironment(answer.outcomes);
      result = respond(answer);
    } catch (thrown) {
      const error = toApiError(thrown);
      const id = randomUUID();
      entry.environments = outcomesByEnvironment(error.details);
      entry.error = describeError(error, id, invocation.usage.throttling);
      result = respondWithError(error, id);
    }
    const { calls, attempts, conflicts, ms } = invocation.usage;
    entry.table = { calls, attempts, conflicts, ms: Math.round(ms) };
    writeLog({ ...entry, status: result.statusCode, ms: Math.round(performance.now() - startedAt) });
    return result;
  };
}

const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

export function respond({ status, headers, body, outcomes = [] }: Answer): APIGatewayProxyStructuredResultV2 {
  const all = { ...commonHeaders, ...headers, ...outcomesHeader(outcomes) };
  if (body === undefined) return { statusCode: status, headers: all };
  const text = JSON.stringify(body);
  if (!fitsInResponse(text)) {
    throw new ValidationError("The preview is larger than 6 MB; preview one environment, or a smaller patch");
  }
  return { statusCode: status, headers: { "content-type": "application/json", ...all }, body: text };
}

/** Otherwise Lambda would respond with 500. Dry runs, and details about thousands of environments, may not fit. */
function fitsInResponse(body: string): boolean {
  // As a JSON string, which it becomes in Lambda's response, a text takes three times its length at most.
  const isSmall = 3 * body.length < limits.responseBytes;
  return isSmall || Buffer.byteLength(JSON.stringify(body)) <= limits.responseBytes;
}

/** Names are percent-encoded: they may have any characters, a header may not. */
function outcomesHeader(outcomes: readonly Detail[]): Readonly<Record<string, string>> {
  const pairs = outcomes.map(
    ({ environment = "", outcome }) => `${encodeURIComponent(environment)}=${outcome}`,
  );
  const line = pairs.join(", ");
  return line === "" || line.length > limits.outcomesLength ? {} : { "burgee-environments": line };
}

function respondWithError(error: ApiError, id: string): APIGatewayProxyStructuredResultV2 {
  const { status, name, message, details, headers } = error;
  const short: ErrorBody = { id, name, message };
  const body = { ...short, ...(details && { details }) };
  return respond({ status, headers, body: fitsInResponse(JSON.stringify(body)) ? body : short });
}
