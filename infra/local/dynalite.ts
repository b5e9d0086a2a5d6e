/** Creates the embedded DynamoDB engine: dynalite, guarded against browsers and broken connections. */
import { EventEmitter } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { foreignHost } from "./foreign.ts";
import { createPatched } from "./patched-dynalite.ts";

interface Options {
  /** The folder for the data; in memory if absent. */
  path?: string | undefined;
  /** Names of hosts to accept besides localhost and addresses. */
  allowHost?: readonly string[] | undefined;
}

/**
 * dynalite checks no signature and allows every origin, so requests of browsers are refused first.
 * It also ends its process when a client disconnects in the middle of a request, and where a body is not what it expects:
 * so it receives a copy of each request once that is complete, by events whose errors are caught.
 */
export async function createDynalite({ path, allowHost }: Options = {}): Promise<Server> {
  const server = await createPatched({ createTableMs: 0, deleteTableMs: 0, path });
  const handlers = server.listeners("request");
  server.removeAllListeners("request");
  server.on("request", async (request: IncomingMessage, response: ServerResponse) => {
    response.on("error", () => {});
    const { headers, method, url } = request;
    const reason = foreignHost(headers, allowHost) ?? fromBrowser(headers);
    if (reason !== undefined) {
      request.resume().on("error", () => {});
      return answer(response, 403, { message: reason });
    }
    const body = await readWhole(request);
    if (!body) return;
    const copy = Object.assign(new EventEmitter(), { headers, method, url });
    for (const handle of handlers) handle.call(server, copy, response);
    try {
      copy.emit("data", body);
      copy.emit("end");
    } catch (error) {
      // dynalite reads members of what it was sent, which may be null or nothing.
      answer(response, 400, { __type: "SerializationException", message: (error as Error).message });
    }
  });
  return server;
}

/** Returns the reason for refusing a request of a web page, whatever its origin. */
function fromBrowser({ origin }: IncomingMessage["headers"]): string | undefined {
  return origin === undefined ? undefined : "The DynamoDB engine does not accept requests from web pages.";
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Returns undefined if the client disconnected before the end. */
async function readWhole(request: IncomingMessage): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await request.toArray());
  } catch {
    return undefined;
  }
}
