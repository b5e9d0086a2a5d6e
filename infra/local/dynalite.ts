/** The embedded DynamoDB engine, guarded. */
import type { IncomingMessage, Server } from "node:http";
import { Readable } from "node:stream";
import dynalite from "dynalite";
import { adaptLevel } from "./adapt-level.ts";

interface Options {
  /** A folder for the data; in memory without one. */
  path?: string | undefined;
}

/**
 * dynalite ends its process when a client breaks off in the middle of a request. So it gets no request before it
 * is complete, and what it gets is a copy that cannot break off.
 */
export function createDynalite({ path }: Options = {}): Server {
  adaptLevel();
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, ...(path !== undefined && { path }) });
  const handlers = server.listeners("request");
  server.removeAllListeners("request");
  server.on("request", async (request: IncomingMessage, response) => {
    response.on("error", () => {});
    const body = await readWhole(request);
    if (!body) return;
    const { headers, method, url } = request;
    const copy = Object.assign(Readable.from([body]), { headers, method, url });
    for (const handle of handlers) handle.call(server, copy, response);
  });
  return server;
}

/** Nothing, if the client went away before the end. */
async function readWhole(request: IncomingMessage): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await request.toArray());
  } catch {
    return undefined;
  }
}
