/** Sends requests to the handlers, behind a gateway and on a DynamoDB engine, and records their responses. */
import { randomUUID } from "node:crypto";
import { createServer, request as forward } from "node:http";
import type { Context } from "aws-lambda";
import type { Route } from "../../lib/http/route.ts";
import { createGateway } from "../local/gateway.ts";
import { readRoutes } from "../local/routes.ts";
import { listen, setEnvironment } from "../local/service.ts";
import { readStateFile } from "../state/state-file.ts";
import { createTable } from "../store/create-table.ts";
import { openTable } from "../store/open-table.ts";
import { writeState } from "../store/write-state.ts";
import type { Case } from "./cases.ts";
import { pathValues } from "./parameters.ts";

export interface Recorded {
  name: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

export type Recorder = Awaited<ReturnType<typeof openRecorder>>;

/** Placeholders for values that change with each recording. */
const id = "39d5462f-9834-4cf6-b858-a1970e2878f5";
const etag = '"RalOL-DCObJHdGvp"';

/** The functions are imported after the environment is set, because they read it while loading. */
export async function openRecorder(engine: string) {
  const proxy = createProxy(engine);
  Object.assign(process.env, { TABLE_NAME: `burgee-${randomUUID()}`, KEY_CACHE_SECONDS: "0" });
  const table = setEnvironment({ endpoint: await listen(proxy.server, { host: "127.0.0.1", port: 0 }) });
  await createTable(table);
  const session = openTable(table);
  const demo = await readStateFile("infra/demo.json");
  const tags = await import("../../functions/tags.ts");
  const variants = await import("../../functions/variants.ts");
  const context = { getRemainingTimeInMillis: proxy.remainingMs } as Context;
  const gateway = createGateway({
    routes: readRoutes(),
    invoke: async ({ name }, event) => (name === "tags" ? tags : variants).handler(event, context),
  });
  const url = await listen(gateway, { host: "127.0.0.1", port: 0 });

  function send(route: Route<never>, { method, path, query = "", headers, body }: Case) {
    const values = { ...pathValues, ...path };
    const target = route.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof values) => values[name]);
    return fetch(`${url}${target}?${query}`, {
      method: method ?? route.method,
      headers: { authorization: demo.apiKeys[0]?.key ?? "", "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : (JSON.stringify(body) ?? null),
    });
  }

  async function record(route: Route<never>, name: string, request: Case): Promise<Recorded> {
    const { permissions, before, failures } = request;
    const apiKeys = demo.apiKeys.map((apiKey) => ({ ...apiKey, ...(permissions && { permissions }) }));
    await writeState(session, { ...demo, apiKeys });
    if (before) await send(route, before);
    proxy.fail(failures);
    const response = await send(route, request);
    proxy.fail();
    const { status } = response;
    const headers = Object.fromEntries(response.headers);
    if (headers.etag) headers.etag = etag;
    const body = status === 304 ? undefined : Object(await response.json());
    return { name, status, headers, body: status < 400 ? body : { ...body, id } };
  }

  return {
    operations: Object.entries<Route<never>>({ ...tags.routes, ...variants.routes }),
    record,
    close: () => [gateway, proxy.server].map((server) => server.close().closeAllConnections()),
  };
}

/** Forwards calls to the engine, or returns the errors that a case defines. */
function createProxy(engine: string) {
  let failures: Case["failures"];
  let count = 0;
  const server = createServer((call, response) => {
    const { method, headers } = call;
    const isWrite = String(headers["x-amz-target"]).endsWith("UpdateItem");
    const errors = typeof failures === "string" ? [failures] : isWrite ? (failures ?? []) : [];
    const error = errors.length > 0 && errors[Math.min(count++, errors.length - 1)];
    if (error) {
      const status = error === "InternalServerError" ? 500 : 400;
      response.writeHead(status).end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${error}` }));
      return;
    }
    const forwarded = forward(engine, { method, headers }, (result) => {
      response.writeHead(result.statusCode ?? 502, result.headers);
      result.pipe(response);
    });
    call.pipe(forwarded);
  });
  return {
    server,
    fail(next?: Case["failures"]) {
      [failures, count] = [next, 0];
    },
    /** Brings the deadline forward, so that a case that retries until then ends quickly. */
    remainingMs: () => (typeof failures === "string" ? 500 : count < 2 ? 10_000 : 400),
  };
}
