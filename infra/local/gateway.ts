/** An HTTP server in front of the functions that behaves like an API Gateway HTTP API. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { toEvent } from "./event.ts";
import { foreignHost, foreignOrigin } from "./foreign.ts";
import type { Pages } from "./pages.ts";
import { findRoute } from "./path.ts";
import type { DeclaredFunction, DeclaredRoute } from "./routes.ts";

export type Invoke = (
  declared: DeclaredFunction,
  event: unknown,
) => Promise<APIGatewayProxyStructuredResultV2>;

interface Options {
  routes: readonly DeclaredRoute[];
  invoke: Invoke;
  /** Pages that this server serves without the functions. */
  pages?: Pages;
  /** Hosts and origins that this server accepts besides those of this machine. */
  allowHost?: readonly string[] | undefined;
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
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ message }));
    });
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, invoke, pages, allowHost }: Options,
): Promise<void> {
  const { method = "GET", url = "/", headers, rawHeaders, socket } = request;
  const reason = foreignHost(headers, allowHost) ?? foreignOrigin(headers, allowHost);
  if (reason !== undefined) throw new GatewayError(403, reason);
  if (pages?.(request, response)) return;
  const body = await readBody(request, response);
  const route = findRoute(routes, method, url);
  if (!route) throw new GatewayError(404, "Not Found");
  const { remoteAddress: sourceIp = "", localPort: port = 0 } = socket;
  const event = toEvent({ method, url, rawHeaders, body, sourceIp, port }, route);
  response.setHeader("apigw-requestid", event.requestContext.requestId);
  const result = await within(route.function.timeoutMs, invoke(route.function, event));
  response.setHeader("content-length", Buffer.byteLength(result.body ?? ""));
  for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, String(value));
  response.writeHead(result.statusCode ?? 200).end(result.body);
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

/** Lambda ends a function at its timeout, which is shorter than API Gateway's, and reports an error of the function. */
async function within<Value>(ms: number, awaited: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(internal), ms);
  });
  return Promise.race([awaited, timeout]).finally(() => clearTimeout(timer));
}
