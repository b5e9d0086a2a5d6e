/** Makes a Lambda handler of routes. It never throws, and writes one log line for each request. */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { type ApiError, toApiError, ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Detail, ErrorBody } from "../contract/responses.ts";
import type { Service } from "../service.ts";
import { dispatch } from "./dispatch.ts";
import { describeError, type LogEntry, outcomesByEnvironment, writeLog } from "./log.ts";
import type { Answer, Route } from "./route.ts";

export type Handler = (event: unknown, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

export function createHandler<Store>(service: Service<Store>, routes: readonly Route<Store>[]): Handler {
  let coldStart = true;
  const initMs = Math.round(performance.now());
  return async function handler(event, context) {
    const startedAt = performance.now();
    const entry: LogEntry = {
      requestId: context.awsRequestId,
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

export function respond(answer: Answer): APIGatewayProxyStructuredResultV2 {
  const { status, etag, headers, body, outcomes = [] } = answer;
  const etagHeader = etag !== undefined && { etag: `"${etag}"` };
  const all = { ...commonHeaders, ...etagHeader, ...headers, ...outcomesHeader(outcomes) };
  if (body === undefined) return { statusCode: status, headers: all };
  const text = JSON.stringify(body);
  // Only dry runs can be so large: what is stored fits.
  if (!fitsInResponse(text)) {
    throw new ValidationError("The preview is larger than 6 MB; preview one environment, or a smaller patch");
  }
  return { statusCode: status, headers: { "content-type": "application/json", ...all }, body: text };
}

/** Lambda would respond with 500 instead of a larger one. */
function fitsInResponse(body: string): boolean {
  // As a JSON string, which it becomes in Lambda's response, a text takes three times its length at most.
  if (3 * body.length < limits.responseBytes) return true;
  return Buffer.byteLength(JSON.stringify(body)) <= limits.responseBytes;
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
  const body: ErrorBody = { id, name, message };
  const whole: ErrorBody = { ...body, ...(details && { details: [...details] }) };
  return respond({ status, headers, body: fitsInResponse(JSON.stringify(whole)) ? whole : body });
}
