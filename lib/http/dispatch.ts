/** One request, with no step back: route -> key -> what the path alone permits -> body -> answer. */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { type Caller, may, missingPermission, projectsWith } from "../access/caller.ts";
import { presentedKey } from "../access/identify.ts";
import type { Invocation } from "../service.ts";
import { readBody } from "./body.ts";
import { header } from "./header.ts";
import type { LogEntry } from "./log.ts";
import { match, pathParameters } from "./match.ts";
import type { Answer, PathParameters, Route } from "./route.ts";

/** The log entry is filled on the way, so that it tells how far a refused request came. */
export async function dispatch(
  event: APIGatewayProxyEventV2,
  invocation: Invocation,
  routes: readonly Route[],
  entry: LogEntry,
): Promise<Answer> {
  const route = match(event, routes);
  entry.route = `${route.method} ${route.path}`;
  const { caller, path, ahead } = await admit(event, invocation, route);
  entry.key = caller.name;
  entry.path = path;
  requirePermission(caller, route, path);
  const body = readBody(route, event);
  const stamp = {
    id: randomUUID(),
    by: caller.name,
    at: new Date().toISOString(),
    request: entry.requestId,
  };
  entry.write = stamp.id;
  return route.answer({ ...invocation, caller, path, body, stamp, ahead });
}

/** A caller without a valid key learns nothing, not even that the path is malformed. */
async function admit(event: APIGatewayProxyEventV2, invocation: Invocation, route: Route) {
  const identifying = invocation.identify(presentedKey(header(event, "authorization")));
  try {
    const path = pathParameters(event, route);
    const ahead = Promise.resolve(route.readAhead?.(path, invocation));
    // Nobody waits for it if the request is refused first.
    ahead.catch(() => {});
    return { caller: await identifying, path, ahead };
  } catch (error) {
    await identifying;
    throw error;
  }
}

function requirePermission(caller: Caller, { permission }: Route, { projectId }: PathParameters): void {
  const isPermitted =
    projectId === undefined
      ? projectsWith(caller, permission).length > 0
      : may(caller, permission, { project: projectId });
  if (isPermitted) return;
  throw missingPermission(permission, projectId === undefined ? {} : { project: projectId });
}
