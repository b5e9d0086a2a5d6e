/** The service in small: both handlers on a table of their own in a real engine, called by events. */
import { randomUUID } from "node:crypto";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { inject, vi } from "vitest";
import * as z from "zod/mini";
import { readTableDefinition } from "../../infra/local/table.ts";
import { errorSchema } from "../../lib/contract/error-body.ts";
import type { Permit } from "../../lib/contract/permissions.ts";
import { type State, stateSchema } from "../../lib/contract/state.ts";
import { tagsSchema } from "../../lib/contract/tags.ts";
import { featureVariantsSchema } from "../../lib/contract/variants.ts";
import type { Handler } from "../../lib/http/serve.ts";
import { createClient } from "../../lib/store/client.ts";
import { getItem } from "../../lib/store/get-item.ts";
import {
  type EnvironmentItem,
  environmentKey,
  type FeatureItem,
  featureKey,
  type Key,
} from "../../lib/store/items.ts";
import { openSession, type Session } from "../../lib/store/session.ts";
import { writeState } from "../../lib/store/write-state.ts";
import { type HttpRequest, toContext, toEvent } from "./event.ts";
import { createWire, type Wire } from "./wire.ts";

export const adminKey = "burgee-test-key-of-an-admin";

export interface Request extends Omit<HttpRequest, "body"> {
  /** The API key; the admin's when absent, none when null. */
  key?: string | null;
  /** Sent as JSON. */
  json?: unknown;
  body?: string | Uint8Array;
  timeoutMs?: number;
}

export interface Response {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the service sent; tests judge it.
  json: any;
}

export interface Burgee {
  wire: Wire;
  session: Session;
  send(request: Request): Promise<Response>;
  putTags(feature: string, json: unknown, options?: Partial<Request>): Promise<Response>;
  patch(feature: string, json: unknown, options?: Partial<Request> & { project?: string }): Promise<Response>;
  /** Adds to what is stored. An API key of the tests is named like itself. */
  store(state: unknown): Promise<void>;
  /** A new key with these permissions. */
  keyWith(...permissions: Permit[]): Promise<string>;
  storedEnvironment(feature: string, environment: string): Promise<EnvironmentItem>;
  storedFeature(feature: string): Promise<FeatureItem>;
  /** Takes an item out of the table behind the service's back. */
  remove(key: Key): Promise<void>;
}

/** Handlers read their settings when they are loaded, so each service loads its own. */
export async function openBurgee(
  state: unknown = {},
  settings: Record<string, string> = {},
): Promise<Burgee> {
  const wire = await createWire(inject("engine"));
  const table = `burgee-${randomUUID()}`;
  Object.assign(process.env, {
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: wire.endpoint,
    TABLE_NAME: table,
    KEY_CACHE_SECONDS: "30",
    ...settings,
  });
  await createTable(table);
  vi.resetModules();
  const handlers = await Promise.all([
    import("../../functions/tags.ts"),
    import("../../functions/variants.ts"),
  ]);
  const [tags, variants] = handlers.map(({ handler }): Handler => handler);
  const session = openSession({ client: createClient(), table, remainingMs: () => 60_000 });

  async function send(request: Request): Promise<Response> {
    const handler = request.path.includes("/projects/") ? variants : tags;
    const result = await handler?.(toEvent(complete(request)), toContext(request.timeoutMs));
    const status = result?.statusCode ?? 0;
    const json = JSON.parse(result?.body ?? "");
    // Whatever else a test looks at: no answer is of another shape than the contract's.
    const shape = status >= 400 ? errorSchema : handler === tags ? tagsSchema : featureVariantsSchema;
    z.strictObject(shape.shape).parse(json);
    return { status, headers: result?.headers as Record<string, string>, json };
  }

  async function store(state: unknown): Promise<void> {
    await writeState(session, stateSchema.parse(state) as State);
    wire.reset();
  }

  await store({ apiKeys: [{ name: "admin", key: adminKey, permissions: [{ permission: "ADMIN" }] }] });
  await store(state);

  return {
    wire,
    session,
    send,
    store,
    putTags: (feature, json, options) =>
      send({
        method: "PUT",
        path: `/api/admin/features/${encodeURIComponent(feature)}/tags`,
        json,
        ...options,
      }),
    patch: (feature, json, { project = "default", ...options } = {}) => {
      const path = `/api/admin/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(feature)}/variants`;
      return send({ method: "PATCH", path, json, ...options });
    },
    async keyWith(...permissions) {
      const key = `burgee-test-key-${randomUUID()}`;
      await store({ apiKeys: [{ name: key, key, permissions }] });
      return key;
    },
    storedEnvironment: (feature, environment) => stored(session, environmentKey(feature, environment)),
    storedFeature: (feature) => stored(session, featureKey(feature)),
    async remove({ pk, sk }) {
      const command = new DeleteCommand({ TableName: table, Key: { pk, sk } });
      await session.call((client, options) => client.send(command, options));
    },
  };
}

function complete({ key = adminKey, headers, json, body, ...request }: Request): HttpRequest {
  return {
    ...request,
    headers: { "content-type": "application/json", ...(key !== null && { authorization: key }), ...headers },
    body: json === undefined ? body : JSON.stringify(json),
  };
}

async function stored<Item extends Key>(session: Session, key: Key): Promise<Item> {
  const item = await getItem<Item>(session, key);
  if (!item) throw new Error(`nothing is stored at ${key.pk} ${key.sk}`);
  return item;
}

/** The table that is deployed. */
async function createTable(name: string): Promise<void> {
  await new DynamoDBClient().send(new CreateTableCommand({ ...readTableDefinition(), TableName: name }));
}
