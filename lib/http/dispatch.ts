/** One request, with no step back: route -> key -> what the path alone permits -> body -> answer. */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import {
  type Caller,
  may,
  mayRead,
  missingPermission,
  noPermissionIn,
  projectsWith,
} from "../access/caller.ts";
import { presentedKey } from "../access/identify.ts";
import type { Invocation } from "../service.ts";
import { readAsked } from "./asked.ts";
import { readBody } from "./body.ts";
import { header } from "./header.ts";
import type { LogEntry } from "./log.ts";
import { match, pathParameters } from "./match.ts";
import { unlessUnmodified } from "./not-modified.ts";
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
  const body = route.body && readBody(route.body, event);
  const asked = readAsked(event, route.takes);
  if (asked.dryRun) entry.dryRun = true;
  const stamp = {
    id: randomUUID(),
    by: caller.name,
    at: new Date().toISOString(),
    request: entry.requestId,
  };
  if (route.body && !asked.dryRun) entry.write = stamp.id;
  const features = asked.dryRun ? invocation.rehearsal : invocation.features;
  const answer = await route.answer({ ...invocation, features, caller, path, body, asked, stamp, ahead });
  return route.method === "GET" ? unlessUnmodified(event, answer) : answer;
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

function requirePermission(caller: Caller, { permission }: Route, path: PathParameters): void {
  const { projectId: project, environment } = path;
  if (permission === "any") {
    if (!mayRead(caller, project)) throw noPermissionIn(project);
  } else if (project === undefined) {
    if (projectsWith(caller, permission).length === 0) throw missingPermission(permission);
  } else if (!may(caller, permission, { project, environment })) {
    throw missingPermission(permission, { project, environment });
  }
}
