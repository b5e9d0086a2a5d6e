/** One request: match, authenticate, authorise, parse, run. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import {
  type Caller,
  requireAnyPermission,
  requirePermission,
  requirePermissionSomewhere,
} from "../access/caller.ts";
import { createStamp } from "../features/stores.ts";
import type { Invocation } from "../service.ts";
import { readBody } from "./body.ts";
import { header, parseEntityTags } from "./headers.ts";
import type { LogEntry } from "./log.ts";
import { readOptions, refuseMisspeltParameters } from "./options.ts";
import { type Answer, matchRoute, type PathParameters, pathParameters, type Route } from "./route.ts";

/** The log entry is filled on the way, so that it shows how far a refused request came. */
export async function dispatch<Store>(
  event: APIGatewayProxyEventV2,
  { authenticate, store, clock }: Invocation<Store>,
  routes: readonly Route<Store>[],
  entry: LogEntry,
): Promise<Answer> {
  if (isPreflight(event)) return { status: 204 };
  const route = matchRoute(event, routes);
  entry.route = `${route.method} ${route.path}`;

  const caller = await authenticate(header(event, "authorization"));
  entry.key = caller.name;

  const path = pathParameters(event, route);
  entry.path = path;
  requireRoutePermission(caller, route, path);

  const canWrite = route.options?.includes("dryRun");
  const body = route.body && readBody(route.body, event);
  if (canWrite) refuseMisspeltParameters(event);
  const options = readOptions(event, route.options);
  const stamp = createStamp({ by: caller.name, request: entry.requestId });
  if (options.dryRun) entry.dryRun = true;
  else if (canWrite) entry.write = stamp.id;

  const answer = await route.run({ path, body, caller, options, stamp, store, clock });
  return route.method === "GET" ? orNotModified(event, answer) : answer;
}

/** Where a route has any method, API Gateway leaves preflights to the function, and adds the headers of CORS. */
function isPreflight(event: APIGatewayProxyEventV2): boolean {
  const method = event?.requestContext?.http?.method;
  return method === "OPTIONS" && header(event, "access-control-request-method") !== undefined;
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
function orNotModified(event: APIGatewayProxyEventV2, answer: Answer): Answer {
  const { etag } = answer;
  const known = parseEntityTags(header(event, "if-none-match") ?? "");
  if (etag === undefined || !known) return answer;
  const isKnown = known === "*" || known.some((tag) => tag.etag === etag);
  return isKnown ? { status: 304, etag } : answer;
}
