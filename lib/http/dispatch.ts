/** One request: read, match, authenticate, authorise, parse, run. */
import {
  type Caller,
  requireAnyPermission,
  requirePermission,
  requirePermissionSomewhere,
} from "../access/caller.ts";
import { idempotentRequest } from "../features/preconditions.ts";
import { createStamp } from "../features/stores.ts";
import type { Invocation } from "../service.ts";
import { readBody } from "./body.ts";
import { type HttpRequest, readEvent } from "./event.ts";
import type { LogEntry } from "./log.ts";
import { parseEntityTags, readOptions, refuseUnknownParameters } from "./options.ts";
import { type Answer, findRoute, type PathParameters, pathParameters, type Route } from "./route.ts";

/** The log entry is filled on the way, so that it shows how far a refused request came. */
export async function dispatch<Store>(
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

/** Where a route has any method, API Gateway leaves preflights to the function, and adds the headers of CORS. */
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
  else if (project === undefined) requirePermissionSomewhere(caller, permission);
  else requirePermission(caller, permission, { project, environment });
}

/** 304 for a client that has the current representation (RFC 9110 section 13.1.2, with a weak comparison). */
function orNotModified({ headers }: HttpRequest, answer: Answer): Answer {
  const { etag } = answer;
  const known = parseEntityTags(headers["if-none-match"] ?? "");
  if (etag === undefined || !known) return answer;
  const isKnown = known === "*" || known.some((tag) => tag.etag === etag);
  return isKnown ? { status: 304, etag } : answer;
}
