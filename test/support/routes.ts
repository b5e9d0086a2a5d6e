/** Minimal routes and events for tests of routing. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import * as z from "zod/mini";
import { type Route, route } from "../../lib/http/route.ts";
import { toEvent } from "./event.ts";

export function routeAt(method: string, path: string): Route<unknown> {
  return route({
    method,
    path,
    permission: "ADMIN",
    body: { accepts: ["application/json"], schema: z.unknown() },
    run: async () => ({ status: 200, body: {} }),
  });
}

/** An event of a function URL: one route for all, the path as the client sent it, and no parameters. */
export function undeclaredEvent(method: string, rawPath: string): APIGatewayProxyEventV2 {
  const { pathParameters, ...event } = toEvent({ method, path: "/" });
  return { ...event, routeKey: "$default", rawPath };
}

/** An event of a declared route: `rawPath` and the parameters come decoded. */
export function declaredEvent(
  method: string,
  path: string,
  pathParameters: Record<string, string>,
): APIGatewayProxyEventV2 {
  const rawPath = path.replaceAll(/\{(.+?)\}/g, (_, name) => pathParameters[name] ?? "");
  return { ...undeclaredEvent(method, rawPath), routeKey: `ANY ${path}`, pathParameters };
}
