/** Makes a Lambda handler of routes. It never throws, and writes one log line for each request. */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import {
  type Caller,
  requireAnyPermission,
  requirePermission,
  requirePermissionInAnyProject,
} from "../access/permissions.ts";
import { type ApiError, toApiError, ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Detail, ErrorBody } from "../contract/responses.ts";
import { idempotentRequest } from "../features/preconditions.ts";
import { createStamp } from "../features/stores.ts";
import type { Invocation, Service } from "../service.ts";
import { readBody } from "./body.ts";
import { type HttpRequest, readEvent } from "./event.ts";
import { describeError, type LogEntry, outcomesByEnvironment, writeLog } from "./log.ts";
import { parseEntityTags, readOptions, refuseUnknownParameters } from "./options.ts";
import { type Answer, findRoute, type PathParameters, pathParameters, type Route } from "./route.ts";

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

/**
 * Reads, matches, authenticates, authorises, parses and runs a request. The log entry is filled on the way, so that it shows
 * how far a refused one came.
 */
async function dispatch<Store>(
  event: unknown,
  { authenticate, store, clock }: Invocation<Store>,
  routes: readonly Route<Store>[],
  entry: LogEntry,
): Promise<Answer> {
  const request = readEvent(event);
  entry.requestId = request.id;
  if (isPreflight(request)) return { status: 204 };

  const route = findRoute(request, routes);
  const canWrite = route.method !== "GET";
  entry.route = `${route.method} ${route.path}`;

  const caller = await authenticate(request.headers.authorization);
  entry.key = caller.name;

  const path = pathParameters(request, route);
  entry.path = path;
  requireRoutePermission(caller, route, path);

  const body = route.body && readBody(request, route.body);
  if (canWrite) refuseUnknownParameters(request, route);
  const options = readOptions(request, route);
  const idempotency = idempotentRequest(options.idempotencyKey, caller, [route.path, path, options.by, body]);
  const stamp = createStamp({ id: idempotency?.change, by: caller.name, request: request.id });
  if (options.dryRun) entry.dryRun = true;
  else if (canWrite) entry.change = stamp.id;

  const answer = await route.run({ path, body, caller, options, stamp, idempotency, store, clock });
  return canWrite ? answer : orNotModified(request, answer);
}

/** API Gateway passes the preflights of a route for any method to the function, and adds the CORS headers itself. */
function isPreflight({ method, headers }: HttpRequest): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

function requireRoutePermission(
  caller: Caller,
  { permission }: Pick<Route<unknown>, "permission">,
  path: PathParameters,
): void {
  const { projectId: project, environment } = path;
  if (permission === "any") requireAnyPermission(caller, project);
  else if (project === undefined) requirePermissionInAnyProject(caller, permission);
  else requirePermission(caller, permission, { project, environment });
}

/** 304 for a client that has the current representation (RFC 9110 section 13.1.2, with a weak comparison). */
function orNotModified({ headers }: HttpRequest, answer: Answer): Answer {
  const { etag } = answer;
  const known = parseEntityTags(headers["if-none-match"] ?? "");
  if (etag === undefined || !known) return answer;
  const isKnown = known === "*" || known.some((one) => one.etag === etag);
  return isKnown ? { status: 304, etag } : answer;
}

const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

export function respond(answer: Answer): APIGatewayProxyStructuredResultV2 {
  const { status, etag, headers, body, outcomes = [] } = answer;
  const etagHeader = etag !== undefined && { etag: `"${etag}"` };
  const all = { ...commonHeaders, ...etagHeader, ...headers, ...outcomesHeader(outcomes) };
  if (body === undefined) return { statusCode: status, headers: all };
  const text = JSON.stringify(body);
  // A dry run, or the changes of many large environments.
  if (!fitsInResponse(text)) {
    throw new ValidationError("The response would be larger than 6 MB; send the request for one environment");
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
