/** Sends requests to the handlers, on a real engine, and records their responses. */
import { randomUUID } from "node:crypto";
import type { Context } from "aws-lambda";
import type { Permit } from "../../lib/contract/permissions.ts";
import type { Handler } from "../../lib/http/handler.ts";
import type { Route } from "../../lib/http/route.ts";
import { createClient } from "../../lib/store/client.ts";
import { openSession } from "../../lib/store/session.ts";
import { toEvent } from "../local/event.ts";
import { findRoute } from "../local/path.ts";
import { readRoutes } from "../local/routes.ts";
import { readTableDefinition } from "../local/table.ts";
import { readStateFile } from "../state/state-file.ts";
import { createTable } from "../store/create-table.ts";
import { writeState } from "../store/write-state.ts";
import { type Failures, startProxy } from "./failures.ts";

/** A request to a service that has the demo's state. */
export interface Case {
  /** If it is not the route's. */
  method?: string;
  /** Values in the path, percent-encoded. */
  path?: Readonly<Record<string, string>>;
  query?: string;
  headers?: Readonly<Record<string, string>>;
  json?: unknown;
  body?: string;
  /** Of the API key; ADMIN when absent. */
  permissions?: Permit[];
  /** Sent first. */
  before?: Case;
  failures?: Failures;
}

export interface Recorded {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** What the reference needs to know of a route. */
export type RouteFacts = Pick<Route<never>, "method" | "path" | "permission" | "body" | "options">;

export type Recorder = Awaited<ReturnType<typeof openRecorder>>;

/** These replace what differs from one recording to the next. */
const errorId = "39d5462f-9834-4cf6-b858-a1970e2878f5";
const etag = '"RalOL-DCObJHdGvp"';

export const usualPath = { projectId: "default", featureName: "checkout", environment: "development" };
const limitedKey = "burgee-key-with-few-permissions";

/** The functions are loaded here, because they read their settings when they are. */
export async function openRecorder(engine: string) {
  const proxy = await startProxy(engine);
  const table = `burgee-${randomUUID()}`;
  const credentials = {
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
  };
  const settings = { AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint, TABLE_NAME: table, KEY_CACHE_SECONDS: "0" };
  Object.assign(process.env, credentials, settings);
  await createTable(table, readTableDefinition());
  const session = openSession({ client: createClient(), table, remainingMs: () => 60_000 });
  const demo = readStateFile("infra/demo.json");
  const declared = readRoutes();
  const functions = [await import("../../functions/tags.ts"), await import("../../functions/variants.ts")];
  const handlers = functions.flatMap(({ routes, handler }) =>
    routes.map((route): [RouteFacts, Handler] => [route, handler]),
  );

  async function record(route: RouteFacts, request: Case): Promise<Recorded> {
    const { permissions = [], before, failures } = request;
    const limited = { name: "limited", key: limitedKey, permissions, disabled: false };
    await writeState(session, { ...demo, apiKeys: [...demo.apiKeys, limited] });
    if (before) await send(route, before);
    proxy.inject(failures);
    const recorded = await send(route, request);
    proxy.inject(undefined);
    return recorded;
  }

  async function send(route: RouteFacts, request: Case): Promise<Recorded> {
    const { method = route.method, path, query, headers, json, body = "", permissions, failures } = request;
    const values: Record<string, string> = { ...usualPath, ...path };
    const url = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
    const authorization = permissions ? limitedKey : (demo.apiKeys[0]?.key ?? "");
    const all = { authorization, "content-type": "application/json", ...headers };
    const http = {
      method,
      url: query === undefined ? url : `${url}?${query}`,
      rawHeaders: Object.entries(all).flat(),
      body: Buffer.from(json === undefined ? body : JSON.stringify(json)),
    };
    const declaredRoute = findRoute(declared, method, url);
    const handler = new Map(handlers).get(route);
    if (!declaredRoute || !handler) throw new Error(`serverless.yml does not declare ${url}`);
    // What is retried until time runs out is retried once, however fast this machine is.
    const getRemainingTimeInMillis = () => (proxy.count() < 2 ? (failures?.remainingMs ?? 10_000) : 400);
    const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis } as Context;
    return toRecorded(await handler(toEvent(http, declaredRoute), context));
  }

  return { routes: handlers.map(([route]) => route), record, close: proxy.close };
}

function toRecorded({ statusCode = 0, headers = {}, body }: Awaited<ReturnType<Handler>>): Recorded {
  const json: unknown = body === undefined ? undefined : JSON.parse(body);
  return {
    status: statusCode,
    headers: { ...(headers as Record<string, string>), ...("etag" in headers && { etag }) },
    body: statusCode < 400 ? json : { ...Object(json), id: errorId },
  };
}
