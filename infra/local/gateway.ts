/** An HTTP server in front of the functions that behaves like an API Gateway HTTP API. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { APIGatewayProxyResultV2 } from "aws-lambda";
import { toEvent } from "./event.ts";
import { foreignHost, foreignOrigin, type OwnNames } from "./foreign.ts";
import type { Pages } from "./pages.ts";
import { findRoute } from "./path.ts";
import type { DeclaredFunction, DeclaredRoute } from "./routes.ts";

export type Invoke = (declared: DeclaredFunction, event: unknown) => Promise<APIGatewayProxyResultV2>;

interface Options {
  routes: readonly DeclaredRoute[];
  invoke: Invoke;
  /** Pages that this server serves without the functions. */
  pages?: Pages;
  /** Hosts and origins that this server accepts; only this machine's if absent. */
  names?: OwnNames;
}

/** Quotas of API Gateway; its headers include the request line. */
const mostBodyBytes = 10 * 1024 * 1024;
const mostHeaderBytes = 10_240;

/** A response of the gateway itself, not of a function. */
class GatewayError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const internal = new GatewayError(500, "Internal Server Error");

export function createGateway(options: Options): Server {
  return createServer({ maxHeaderSize: mostHeaderBytes }, (request, response) => {
    answer(request, response, options).catch((error: unknown) => {
      const isFailure = !(error instanceof GatewayError);
      // A client that disconnects causes an error here too.
      if (isFailure && !request.socket.destroyed) console.error(error);
      const { status, message } = isFailure ? internal : error;
      response.setHeader("content-type", "application/json");
      send(response, status, JSON.stringify({ message }));
    });
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, invoke, pages, names = {} }: Options,
): Promise<void> {
  const { method = "GET", url = "/", headers, rawHeaders, socket } = request;
  const reason = foreignHost(headers, names) ?? foreignOrigin(headers, names);
  if (reason !== undefined) throw new GatewayError(403, reason);
  if (pages?.(request, response)) return;
  const body = await readBody(request, response);
  const route = findRoute(routes, method, url);
  if (!route) throw new GatewayError(404, "Not Found");
  const { remoteAddress: sourceIp = "", localPort: port = 0 } = socket;
  const event = toEvent({ method, url, rawHeaders, body, sourceIp, port }, route);
  response.setHeader("apigw-requestid", event.requestContext.requestId);
  respond(response, await within(route.function.timeoutMs, invoke(route.function, event)));
}

async function readBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBodyBytes) {
      response.setHeader("connection", "close");
      throw new GatewayError(413, "Request Entity Too Large");
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** In payload format 2.0 a result without a status is the body of a 200. */
function respond(response: ServerResponse, result: APIGatewayProxyResultV2): void {
  if (typeof result !== "object" || result.statusCode === undefined) {
    response.setHeader("content-type", "application/json");
    send(response, 200, typeof result === "string" ? result : JSON.stringify(result));
    return;
  }
  const { statusCode, headers = {}, cookies, body = "", isBase64Encoded } = result;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  if (cookies) response.setHeader("set-cookie", cookies);
  send(response, statusCode, isBase64Encoded ? Buffer.from(body, "base64") : body);
}

function send(response: ServerResponse, status: number, body: string | Buffer): void {
  response.writeHead(status, { "content-length": Buffer.byteLength(body) }).end(body);
}

/** Lambda ends a function at its timeout, which is shorter than API Gateway's, and reports an error of the function. */
async function within<Value>(ms: number, awaited: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(internal), ms);
  });
  return Promise.race([awaited, timeout]).finally(() => clearTimeout(timer));
}
