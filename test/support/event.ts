/** Events as the local gateway makes them, of requests as a client writes them. */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { toEvent as gatewayEvent } from "../../infra/local/event.ts";
import { findRoute } from "../../infra/local/path.ts";
import { type DeclaredRoute, readRoutes } from "../../infra/local/routes.ts";

export interface HttpRequest {
  method: string;
  /** Percent-encoded, with the query. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | undefined;
}

const routes = readRoutes();

/** For paths that the gateway would refuse itself: the function must have an answer all the same. */
const anything: DeclaredRoute = {
  routeKey: "$default",
  method: "*",
  path: "",
  function: { name: "", handler: "", timeoutMs: 0 },
};

export function toEvent({ method, path, headers = {}, body = "" }: HttpRequest): APIGatewayProxyEventV2 {
  const rawHeaders = Object.entries({ host: "api.example.com", ...headers }).flat();
  const request = { method, url: path, rawHeaders, body: Buffer.from(body) };
  return gatewayEvent(request, findRoute(routes, method, path) ?? anything);
}

interface Time {
  timeoutMs?: number | undefined;
  remainingMs?: (() => number) | undefined;
}

/** What Lambda tells a handler of the invocation; only the time that is left counts here. */
export function toContext({ timeoutMs = 15_000, remainingMs = countDown(timeoutMs) }: Time = {}): Context {
  return { awsRequestId: randomUUID(), getRemainingTimeInMillis: remainingMs } as Context;
}

export function countDown(timeoutMs: number): () => number {
  const endsAt = Date.now() + timeoutMs;
  return () => endsAt - Date.now();
}
