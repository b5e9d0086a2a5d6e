/** Makes events from requests, as the local gateway does. */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { toEvent as gatewayEvent } from "../../infra/local/event.ts";
import { type DeclaredRoute, declaredRoutes, findDeclaredRoute } from "../../infra/local/routes.ts";

export interface HttpRequest {
  method: string;
  /** Percent-encoded, with the query. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | undefined;
}

/** The route of paths that the gateway would refuse: the function must respond to them too. */
const anything: DeclaredRoute = {
  routeKey: "$default",
  method: "*",
  path: "",
  function: { name: "", handler: "", timeoutMs: 0 },
};

export function toEvent({ method, path, headers = {}, body = "" }: HttpRequest): APIGatewayProxyEventV2 {
  const rawHeaders = Object.entries({ host: "api.example.com", ...headers }).flat();
  const request = { method, url: path, rawHeaders, body: Buffer.from(body) };
  return gatewayEvent(request, findDeclaredRoute(declaredRoutes, method, path) ?? anything);
}

interface Time {
  remainingMs?: number | (() => number);
}

/** Makes the context that Lambda passes to a handler, of which only the remaining time matters here. */
export function toContext({ remainingMs = countDown(15_000) }: Time = {}): Context {
  const getRemainingTimeInMillis = typeof remainingMs === "number" ? () => remainingMs : remainingMs;
  return { awsRequestId: randomUUID(), getRemainingTimeInMillis } as Context;
}

export function countDown(timeoutMs: number): () => number {
  const endsAt = Date.now() + timeoutMs;
  return () => endsAt - Date.now();
}
