/** An HTTP server in front of the functions that behaves like an API Gateway HTTP API. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { foreignHost, foreignOrigin } from "../engine/foreign-requests.ts";
import { toEvent } from "./event.ts";
import type { GatewayResponse, Pages } from "./pages.ts";
import { type DeclaredFunction, type DeclaredRoute, findDeclaredRoute } from "./routes.ts";

export type Invoke = (declared: DeclaredFunction, event: unknown) => Promise<GatewayResponse>;

interface Options {
  routes: readonly DeclaredRoute[];
  invoke: Invoke;
  /** Pages that this server serves without the functions. */
  pages?: Pages;
  /** Hosts and origins that this server accepts besides those of this machine. */
  allowHost?: readonly string[] | undefined;
}

/** The quotas of API Gateway. Its quota of headers includes the request line. */
const mostBodyBytes = 10 * 1024 * 1024;
const mostHeaderBytes = 10_240;

const internal = refusal(500, "Internal Server Error");

export function createGateway(options: Options): Server {
  return createServer({ maxHeaderSize: mostHeaderBytes }, async (request, response) => {
    try {
      write(response, await answer(request, response, options));
    } catch (error) {
      // A client that disconnects causes an error here too.
      if (!request.socket.destroyed) console.error(error);
      write(response, internal);
    }
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, invoke, pages, allowHost }: Options,
): Promise<GatewayResponse> {
  const { method = "GET", url = "/", headers, rawHeaders, socket } = request;
  const reason = foreignHost(headers, allowHost) ?? foreignOrigin(headers, allowHost);
  if (reason !== undefined) return refusal(403, reason);
  const page = pages?.(request);
  if (page) return page;
  const body = await readBody(request);
  if (!body) return refusal(413, "Request Entity Too Large", { connection: "close" });
  const route = findDeclaredRoute(routes, method, url);
  if (!route) return refusal(404, "Not Found");
  const { remoteAddress: sourceIp = "", localPort: port = 0 } = socket;
  const event = toEvent({ method, url, rawHeaders, body, sourceIp, port }, route);
  response.setHeader("apigw-requestid", event.requestContext.requestId);
  // Lambda ends a function at its timeout, which is shorter than API Gateway's, and reports an error of the function.
  const timer = new AbortController();
  const timeout = setTimeout(route.function.timeoutMs, internal, { signal: timer.signal });
  return Promise.race([invoke(route.function, event), timeout]).finally(() => timer.abort());
}

/** A response of the gateway itself, not of a function. */
function refusal(
  statusCode: number,
  message: string,
  headers: GatewayResponse["headers"] = {},
): GatewayResponse {
  const body = JSON.stringify({ message });
  return { statusCode, headers: { "content-type": "application/json", ...headers }, body };
}

function write(response: ServerResponse, answer: GatewayResponse): void {
  const { statusCode = 200, headers = {}, body = "", isBase64Encoded = false } = answer;
  const bytes = isBase64Encoded ? Buffer.from(String(body), "base64") : Buffer.from(body);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  response.statusCode = statusCode;
  // Node adds the content-length, but not for HEAD.
  response.end(bytes);
}

/** Returns undefined if the body exceeds the quota. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
