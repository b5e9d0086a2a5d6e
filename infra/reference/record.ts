/** Sends requests to the handlers, on a DynamoDB engine, and records their responses. */
import { randomUUID } from "node:crypto";
import type { Context } from "aws-lambda";
import * as read from "../../functions/read.ts";
import * as tags from "../../functions/tags.ts";
import * as variants from "../../functions/variants.ts";
import type { Handler } from "../../lib/http/handler.ts";
import type { Route } from "../../lib/http/route.ts";
import type { Client } from "../../lib/store/dynamodb/client.ts";
import { toEvent } from "../local/event.ts";
import { declaredRoutes, findDeclaredRoute } from "../local/routes.ts";
import { readStateFile } from "../state/state-file.ts";
import { createTable } from "../store/create-table.ts";
import { openTable } from "../store/open-table.ts";
import { writeState } from "../store/write-state.ts";
import { type Case, type OperationId, sharedResponses, successes } from "./cases.ts";
import { pathValues } from "./parameters.ts";

export interface Recorded {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

export type Recordings = Awaited<ReturnType<typeof recordAll>>;

/** Placeholders for values that change with each recording. */
const id = "39d5462f-9834-4cf6-b858-a1970e2878f5";
const fixedHeaders: Readonly<Record<string, string>> = {
  etag: '"RalOL-DCObJHdGvp"',
  "burgee-change": pathValues.changeId,
};
const fixedMembers: Readonly<Record<string, string | undefined>> = {
  at: "2026-01-31T12:00:00.000Z",
  writtenAt: "2026-01-31T12:00:00.250Z",
  etag: fixedHeaders.etag,
  deletion: "Xq8vN0bT3dE",
  restorableUntil: "2026-03-02T12:00:00.000Z",
};

const routes: Readonly<Record<OperationId, Route<never>>> = {
  ...tags.routes,
  ...variants.routes,
  ...read.routes,
};

/** Returns the routes by their operations, and the examples of each shared response. */
export async function recordAll(client: Client) {
  const table = `burgee-${randomUUID()}`;
  await createTable(table, { client });
  const session = openTable(table, client);
  const demo = await readStateFile("infra/demo.json");
  const settings = { TABLE_NAME: table, KEY_CACHE_SECONDS: "0", DOCUMENT_CACHE_SECONDS: "0" };
  const handlers: Readonly<Record<string, Handler>> = {
    tags: tags.open(settings, { client }),
    variants: variants.open(settings, { client }),
    read: read.open(settings, { client }),
  };

  function send(operation: OperationId, { path, query = "", headers, body, ...rest }: Case) {
    const { method, path: pattern } = routes[rest.at ?? operation];
    const values = { ...pathValues, ...path };
    const url = pattern.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof values) => values[name]);
    const route = findDeclaredRoute(declaredRoutes, method, url);
    if (!route) throw new Error(`no route is declared for ${rest.at ?? operation}: ${method} ${url}`);
    const authorization = demo.apiKeys[0]?.key ?? "";
    const all = { authorization, "content-type": "application/json", ...headers };
    const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
    const request = { method, url: `${url}?${query}`, rawHeaders: Object.entries(all).flat() };
    const context = { getRemainingTimeInMillis: rest.remainingMs ?? (() => 10_000) } as Context;
    const handler = handlers[route.function.name];
    if (!handler) throw new Error(`no function is named ${route.function.name}`);
    return handler(toEvent({ ...request, body: Buffer.from(text) }, route), context);
  }

  async function record(operation: OperationId, request: Case): Promise<Recorded> {
    const { permissions, before } = request;
    const apiKeys = demo.apiKeys.map((apiKey) => ({ ...apiKey, ...(permissions && { permissions }) }));
    await writeState(session, { ...demo, apiKeys });
    if (before) await send(operation, before);
    const { statusCode: status = 0, headers = {}, body } = await send(operation, request);
    const texts = Object.entries(headers).map(([name, value]) => [name, fixedHeaders[name] ?? String(value)]);
    const json = body && JSON.parse(body, (name, value) => fixedMembers[name] ?? value);
    return { status, headers: Object.fromEntries(texts), body: status < 400 ? json : { ...json, id } };
  }

  const recorded: Record<string, Record<string, Recorded>> = {};
  for (const [name, { operation, cases }] of Object.entries({ ...successes, ...sharedResponses })) {
    recorded[name] = {};
    for (const [example, request] of Object.entries(cases)) {
      recorded[name][example] = await record(operation, request);
    }
  }
  return { routes, recorded };
}
