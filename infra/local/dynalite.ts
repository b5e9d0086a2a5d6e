/** Creates the embedded DynamoDB engine, guarded against browsers and broken connections. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import dynalite from "dynalite";
import { adaptLevel } from "./adapt-level.ts";
import { foreignHost } from "./foreign.ts";

interface Options {
  /** The folder for the data; in memory if absent. */
  path?: string | undefined;
  /** Hosts that requests may name besides those of this machine. */
  allowHost?: readonly string[];
}

interface Dynalite extends Server {
  /** Rejects if the folder cannot be opened. */
  opened: Promise<void>;
}

/**
 * dynalite checks no signature and allows every origin, so requests of browsers are refused first.
 * It also ends its process when a client disconnects in the middle of a request, so it receives a copy of each request
 * once that is complete.
 */
export function createDynalite({ path, allowHost = [] }: Options = {}): Dynalite {
  adaptLevel();
  let opened = Promise.resolve();
  const onOpening = (opening: Promise<void>) => {
    opened = opening;
  };
  const server = dynalite({
    createTableMs: 0,
    deleteTableMs: 0,
    ...(path !== undefined && { path, onOpening }),
  });
  const handlers = server.listeners("request");
  server.removeAllListeners("request");
  server.on("request", async (request: IncomingMessage, response: ServerResponse) => {
    response.on("error", () => {});
    const { headers, method, url } = request;
    const reason = foreignHost(headers, { allowHost }) ?? fromBrowser(headers);
    if (reason !== undefined) return refuse(request, response, reason);
    const body = await readWhole(request);
    if (!body) return;
    const copy = Object.assign(Readable.from([body]), { headers, method, url });
    for (const handle of handlers) handle.call(server, copy, response);
  });
  return Object.assign(server, { opened });
}

/** Returns the reason for refusing a request of a web page, whatever its origin. */
function fromBrowser({ origin }: IncomingMessage["headers"]): string | undefined {
  return origin === undefined ? undefined : "The DynamoDB engine does not accept requests from web pages.";
}

function refuse(request: IncomingMessage, response: ServerResponse, message: string): void {
  request.resume().on("error", () => {});
  response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify({ message }));
}

/** Returns undefined if the client disconnected before the end. */
async function readWhole(request: IncomingMessage): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await request.toArray());
  } catch {
    return undefined;
  }
}
