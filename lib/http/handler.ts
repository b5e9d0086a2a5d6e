/** Makes a Lambda handler of routes. It never throws, and writes one log line for each request. */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import {
  type Caller,
  type Permission,
  requireAnyPermission,
  requirePermission,
  requirePermissionInAnyProject,
} from "../access/permissions.ts";
import { type ApiError, toApiError, ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Detail, ErrorBody } from "../contract/responses.ts";
import { createStamp } from "../features/stamp.ts";
import type { Invocation, Service } from "../service.ts";
import { readBody } from "./body.ts";
import { type HttpRequest, readEvent } from "./event.ts";
import { describeError, type LogEntry, outcomesByEnvironment, writeLog } from "./log.ts";
import { isPreview, parseEntityTags, readOptions, refuseUnknownParameters } from "./options.ts";
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
  requireRoutePermission(caller, isPreview(request, route) ? "any" : route.permission, path);

  const body = route.body && readBody(request, route.body);
  if (canWrite) refuseUnknownParameters(request, route);
  const options = readOptions(request, route);
  const { dryRun, strict, by, idempotencyKey: key, reason } = options;
  const scope = [path.projectId, path.featureName];
  const idempotency = key === undefined ? undefined : { key, scope, content: [route.path, path, by, body] };
  const stamp = createStamp({ by: caller.name, request: request.id, reason, idempotency });
  if (dryRun) entry.dryRun = true;
  else if (canWrite) entry.change = stamp.id;
  if (canWrite && reason !== undefined) entry.reason = reason;

  const headers = strict ? { "preference-applied": "handling=strict" } : {};
  const answer = await route.run({ path, body, caller, options, stamp, store, clock }).catch((error) => {
    throw toApiError(error).withContext({ headers });
  });
  return canWrite
    ? { ...answer, headers: { ...headers, ...answer.headers } }
    : orNotModified(request, answer);
}

/** API Gateway passes the preflights of a route for any method to the function, and adds the CORS headers itself. */
function isPreflight({ method, headers }: HttpRequest): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

function requireRoutePermission(caller: Caller, permission: Permission | "any", path: PathParameters): void {
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
  const { status, etag, change, hint, headers, body, outcomes = [] } = answer;
  const all = {
    ...commonHeaders,
    ...(etag !== undefined && { etag: `"${etag}"` }),
    ...(change !== undefined && { "burgee-change": change }),
    ...headers,
    ...outcomesHeader(outcomes),
    ...(hint && hintHeader(hint)),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  if (body === undefined) return { statusCode: status, headers: all };
  const text = JSON.stringify(body);
  // A dry run, or the changes of many large environments.
  if (!fitsInResponse(text)) {
    throw new ValidationError("The response would be larger than 6 MB; send the request for one environment");
  }
  return { statusCode: status, headers: all, body: text };
}

/** Lambda would respond with 500 instead of a larger one. The body becomes a JSON string in its response. */
function fitsInResponse(body: string): boolean {
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

function hintHeader({ environment, hint }: NonNullable<Answer["hint"]>): Readonly<Record<string, string>> {
  const line = `${encodeURIComponent(environment)}: ${hint}`;
  return line.length > limits.hintBytes ? {} : { "burgee-hint": line };
}

function respondWithError(error: ApiError, id: string): APIGatewayProxyStructuredResultV2 {
  const { status, name, message, details, headers, etag, change } = error;
  const body: ErrorBody = { id, name, message };
  const whole: ErrorBody = { ...body, ...(details && { details: [...details] }) };
  return respond({
    status,
    headers,
    etag,
    change,
    body: fitsInResponse(JSON.stringify(whole)) ? whole : body,
  });
}
