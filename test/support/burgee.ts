/** A service for tests: the three handlers on their own table of an engine, called by events. */

import { randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { afterAll, beforeAll, beforeEach, inject } from "vitest";
import * as read from "../../functions/read.ts";
import * as tags from "../../functions/tags.ts";
import * as variants from "../../functions/variants.ts";
import { declaredRoutes, findDeclaredRoute } from "../../infra/local/routes.ts";
import { stateSchema } from "../../infra/state/state-file.ts";
import { createTable } from "../../infra/store/create-table.ts";
import { writeFeature } from "../../infra/store/write-feature.ts";
import { writeState } from "../../infra/store/write-state.ts";
import type { Permission } from "../../lib/access/permissions.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import { emptyContent } from "../../lib/features/model.ts";
import { createStamp } from "../../lib/features/stamp.ts";
import type { Client } from "../../lib/store/dynamodb/client.ts";
import type { Session } from "../../lib/store/dynamodb/session.ts";
import {
  type EnvironmentItem,
  environmentTableKey,
  type FeatureItem,
  featureTableKey,
  type TableKey,
} from "../../lib/store/items/items.ts";
import { getItem, readStoredFeature } from "../../lib/store/read-items.ts";
import { type HttpRequest, toContext, toEvent } from "./event.ts";
import { requireShape } from "./shapes.ts";
import { openTable } from "./table.ts";
import { type Call, createWire, openWire, type Wire } from "./wire.ts";

/** Whether `npm run test:dynamodb-local` runs, whose engine has an address only. */
export const isAmazons = process.env.MODE === "dynamodb-local";

export const adminKey = "burgee-test-key-of-an-admin";

export interface Request extends Omit<HttpRequest, "body"> {
  /** The API key; the admin's when absent, none when null. */
  key?: string | null;
  /** Sent as JSON. */
  json?: unknown;
  body?: string | Uint8Array;
  /** The time that the invocation has left. A number does not run down: a busy machine takes nothing of it. */
  remainingMs?: number | (() => number);
}

export interface Response {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the service sent; tests check it.
  json: any;
}

interface Query {
  dryRun?: boolean | undefined;
  /** The whole query of the URL, in place of dryRun. */
  query?: string | undefined;
}

/** Which feature is meant: that of the project "default" in all environments, when absent. */
export interface Place extends Query {
  project?: string | undefined;
  environment?: string | undefined;
  /** What follows in the path, as "/changes". */
  below?: string | undefined;
}

export interface Burgee {
  wire: Wire;
  session: Session;
  send(request: Request): Promise<Response>;
  /** Passes an event as it is, which no HTTP client may be able to cause. */
  deliver(name: FunctionName, event: unknown): Promise<Response>;
  putTags(feature: string, json: unknown, options?: Partial<Request> & Query): Promise<Response>;
  patchVariants(feature: string, json: unknown, options?: Partial<Request> & Place): Promise<Response>;
  getTags(feature: string, options?: Partial<Request> & Query): Promise<Response>;
  /** Patches all that decides what SDKs get. */
  patchFeature(feature: string, json: unknown, options?: Partial<Request> & Place): Promise<Response>;
  getVariants(feature: string, options?: Partial<Request> & Place): Promise<Response>;
  getFeature(feature: string, options?: Partial<Request> & Place): Promise<Response>;
  /** Switches a feature on or off. */
  switch(feature: string, to: "on" | "off", options?: Partial<Request> & Place): Promise<Response>;
  getChanges(feature: string, options?: Partial<Request> & Place): Promise<Response>;
  undo(feature: string, change: string, options?: Partial<Request> & Place): Promise<Response>;
  /** The current ETag of variants. */
  etag(feature: string, place?: Place): Promise<string>;
  /** Stores this state, in place of what has the same names. An API key of the tests is named like itself. */
  store(state: unknown): Promise<void>;
  /** Writes a feature's variants as an operator does. */
  apply(feature: string, lists: Readonly<Record<string, Variant[]>>): Promise<void>;
  /** A new key with these permissions. */
  keyWith(...permissions: Permission[]): Promise<string>;
  storedEnvironment(feature: string, environment: string): Promise<EnvironmentItem>;
  storedFeature(feature: string): Promise<FeatureItem>;
  /** The names of the variants that are stored. */
  names(feature: string, environment?: string): Promise<string[]>;
  /** What calls tried to change since the wire was reset: an environment by its name, tags as "FEATURE". */
  writes(): string[];
  /** Replaces an item of the table behind the service's back. */
  put(item: TableKey): Promise<void>;
  /** Takes one out of the table. */
  remove(key: TableKey): Promise<void>;
}

/** The service of a test file: opened before its first test, its wire reset before each, closed after the last. */
export function useBurgee(...given: Parameters<typeof openBurgee>): Burgee {
  let opened: Burgee;
  beforeAll(async () => {
    opened = await openBurgee(...given);
  });
  beforeEach(() => opened.wire.reset());
  afterAll(() => opened.wire.close());
  return new Proxy({} as Burgee, { get: (_, member) => Reflect.get(opened, member) });
}

interface Engine {
  /** For other processes, and for tests of writers over connections: otherwise the engine is in this process. */
  byAddress?: boolean;
  /** Whether the service calls the engine directly, although it has an address. */
  isDirect?: boolean;
  /** A client of another engine, past the wire. */
  client?: Client;
}

export async function openBurgee(
  state: unknown = {},
  settings: Record<string, string> = {},
  { byAddress = isAmazons, isDirect = false, client: given }: Engine = {},
): Promise<Burgee> {
  const wire = byAddress ? await createWire(isAmazons ? inject("engine") : undefined, isDirect) : openWire();
  const table = `burgee-${randomUUID()}`;
  const client = given ?? wire.client;
  await createTable(table, { client });
  const session = openTable(table, client);
  const all = { TABLE_NAME: table, ...settings };
  const handlers = {
    tags: tags.open(all, { client }),
    variants: variants.open(all, { client }),
    read: read.open(all, { client }),
  };

  async function deliver(name: FunctionName, event: unknown, time = {}): Promise<Response> {
    const result = await handlers[name](event, toContext(time));
    const { body, isBase64Encoded } = result;
    const text = isBase64Encoded ? gunzipSync(Buffer.from(body ?? "", "base64")).toString() : body;
    const json = text === undefined ? undefined : JSON.parse(text);
    return { status: result.statusCode ?? 0, headers: result.headers as Record<string, string>, json };
  }

  async function send(request: Request): Promise<Response> {
    const response = await deliver(functionOf(request), eventOf(request), request);
    const { status, json } = response;
    // Every response must have a shape of the contract, whatever the test checks.
    const isOfClient = request.path.includes("/client/");
    const hasBody =
      !(isOfClient && status === 202) &&
      status !== 204 &&
      status !== 304 &&
      request.method !== "HEAD" &&
      json !== undefined;
    if (hasBody) requireShape(request, status, json);
    return response;
  }

  async function store(state: unknown): Promise<void> {
    await writeState(session, stateSchema.parse(state));
    wire.reset();
  }

  const getVariants: Burgee["getVariants"] = (feature, options) =>
    send({ method: "GET", path: variantsPath(feature, options), ...options });
  const storedEnvironment: Burgee["storedEnvironment"] = (feature, environment) =>
    stored(session, environmentTableKey(feature, environment));

  await store({ apiKeys: [{ name: "admin", key: adminKey, permissions: [{ permission: "ADMIN" }] }] });
  await store(state);

  return {
    wire,
    session,
    send,
    deliver,
    store,
    putTags: (feature, json, options) =>
      send({ method: "PUT", path: tagsPath(feature, options), json, ...options }),
    patchVariants: (feature, json, options) =>
      send({ method: "PATCH", path: variantsPath(feature, options), json, ...options }),
    patchFeature: (feature, json, options) =>
      send({ method: "PATCH", path: featurePath(feature, options), json, ...options }),
    getTags: (feature, options) => send({ method: "GET", path: tagsPath(feature, options), ...options }),
    getVariants,
    getFeature: (feature, options) =>
      send({ method: "GET", path: featurePath(feature, options), ...options }),
    switch: (feature, to, options) =>
      send({ method: "POST", path: featurePath(feature, { ...options, below: `/${to}` }), ...options }),
    getChanges: (feature, options) =>
      send({ method: "GET", path: variantsPath(feature, { ...options, below: "/changes" }), ...options }),
    undo(feature, change, options) {
      const path = variantsPath(feature, { ...options, below: `/changes/${change}/undo` });
      return send({ method: "POST", path, ...options });
    },
    etag: async (feature, place) => (await getVariants(feature, place)).headers.etag ?? "",
    async apply(name, lists) {
      const environments = new Map(
        Object.entries(lists).map(([name, variants]) => [name, { ...emptyContent, variants }] as const),
      );
      const after = { name, project: "default", tags: [], environments };
      const stamp = createStamp({ by: "operator", requestId: "apply" });
      await writeFeature(session, await readStoredFeature(session, name), after, stamp);
    },
    async keyWith(...permissions) {
      const key = `burgee-test-key-${randomUUID()}`;
      // Past the schema, which refuses some of them.
      const apiKeys = [{ name: key, key, permissions, disabled: false }];
      await writeState(session, { projects: [], features: [], apiKeys });
      wire.reset();
      return key;
    },
    storedEnvironment,
    storedFeature: (feature) => stored(session, featureTableKey(feature)),
    names: async (feature, environment = "development") =>
      (await storedEnvironment(feature, environment)).variants.map(({ name }) => name),
    writes: () => wire.calls.filter((call) => !isRead(call.operation) && !isPreparation(call)).map(writtenBy),
    async put(item) {
      await session.call(new PutCommand({ TableName: table, Item: item }));
      wire.reset();
    },
    async remove({ pk, sk }) {
      const command = new DeleteCommand({ TableName: table, Key: { pk, sk } });
      await session.call(command);
    },
  };
}

/** The event that the gateway makes of a request. */
export function eventOf(request: Request): APIGatewayProxyEventV2 {
  return toEvent(complete(request));
}

export function tagsPath(feature: string, query?: Query): string {
  return `/api/admin/features/${encodeURIComponent(feature)}/tags${search(query)}`;
}

export function variantsPath(feature: string, { below = "", ...place }: Place = {}): string {
  return featurePath(feature, { ...place, below: `/variants${below}` });
}

export function featurePath(
  feature: string,
  { project = "default", environment, below = "", ...query }: Place = {},
): string {
  const names = ["projects", project, "features", feature];
  if (environment !== undefined) names.push("environments", environment);
  return `/api/admin/${names.map(encodeURIComponent).join("/")}${below}${search(query)}`;
}

type FunctionName = "tags" | "variants" | "read";

/** Returns the function that serves the path, or any if none does. */
export function functionOf({ method, path }: Pick<Request, "method" | "path">): FunctionName {
  return (findDeclaredRoute(declaredRoutes, method, path)?.function.name ?? "variants") as FunctionName;
}

function search({ dryRun = false, query = dryRun ? "dryRun=true" : "" }: Query = {}): string {
  return query === "" ? "" : `?${query}`;
}

const isRead = (operation: string) => /^(Get|BatchGet|Query)/.test(operation);

/** Whether the call stores items that have to be there before a write: changes, or what a trip finds. */
const isPreparation = ({ operation }: Call) => operation === "BatchWriteItem";

function writtenBy({ operation, input }: Call): string {
  const key = input.Key as { sk: { S: string } } | undefined;
  return key?.sk.S.replace(/^ENVIRONMENT#/, "") ?? operation;
}

function complete({ key = adminKey, headers, json, body, ...request }: Request): HttpRequest {
  return {
    ...request,
    headers: { "content-type": "application/json", ...(key !== null && { authorization: key }), ...headers },
    body: json === undefined ? body : JSON.stringify(json),
  };
}

async function stored<Item extends TableKey>(session: Session, key: TableKey): Promise<Item> {
  const item = await getItem<Item>(session, key);
  if (!item) throw new Error(`nothing is stored at ${key.pk} ${key.sk}`);
  return item;
}
