/** Creates the embedded DynamoDB engine: dynalite, guarded against browsers and broken connections, and patched. */
import { EventEmitter } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { foreignHost } from "./foreign.ts";

interface Options {
  /** The folder for the data; in memory if absent. */
  path?: string | undefined;
  /** Names of hosts to accept besides localhost and addresses. */
  allowHost?: readonly string[] | undefined;
}

const require = createRequire(import.meta.url);
/** It has no types. */
const dynalite: (options: object) => Server = require("dynalite");
/** Resolves dynalite's own packages, wherever they are installed. */
const fromDynalite = createRequire(require.resolve("dynalite"));
const fromLevel = createRequire(fromDynalite.resolve("level"));
const fromClassicLevel = createRequire(fromLevel.resolve("classic-level"));

const { AbstractKeyIterator, AbstractValueIterator } = fromClassicLevel("abstract-level");
for (const { prototype } of [AbstractKeyIterator, AbstractValueIterator]) closeIterators(prototype);
const { ClassicLevel } = fromLevel("classic-level");
useSmallWriteBuffer(ClassicLevel.prototype);
const database = fromDynalite("./db");
followOpening(database);
returnFailedItems(database);

/** Settles when the database that `create` made last is open. */
let opening: Promise<void>;

/**
 * dynalite checks no signature and allows every origin, so requests of browsers are refused first.
 * It also ends its process when a client disconnects in the middle of a request, and where a body is not what it expects:
 * so it receives a copy of each request once that is complete, by events whose errors are caught.
 * Throws if the database cannot be opened: dynalite would start all the same, and fail every call without a reason.
 */
export async function createDynalite({ path, allowHost }: Options = {}): Promise<Server> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, path });
  await opening;
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

function followOpening(database: { create(options: object): { db: { open(): Promise<void> } } }): void {
  const { create } = database;
  database.create = (options) => {
    const created = create(options);
    opening = created.db.open().catch((error) => {
      throw error.cause ?? error;
    });
    return created;
  };
}

/**
 * dynalite closes an iterator with `return`, which those of its database do not have: each query and each scan would
 * leak one, with its memory and the overwritten data that it pins.
 */
function closeIterators(prototype: { close(): Promise<void>; return?(): Promise<void> }): void {
  prototype.return ??= function () {
    return this.close();
  };
}

/**
 * In a folder, overwritten copies of an item stay until the write buffer is full, and a query reads past each of them:
 * with the usual 4 MB, ten callers that patch one feature run at two thirds of the rate after 500 changes of it.
 */
function useSmallWriteBuffer(prototype: { _open(options: object): Promise<void> }): void {
  const open = prototype._open;
  prototype._open = function (options) {
    return open.call(this, { ...options, writeBufferSize: 128 * 1024 });
  };
}

type CheckConditional = (
  request: { ReturnValuesOnConditionCheckFailure?: string },
  item?: object,
) => { body: { Item?: object } } | null;

/**
 * Returns the item with a failed condition if the call requests it, as AWS does. dynalite drops the parameter:
 * each write conflict would cost another read.
 */
function returnFailedItems(database: { checkConditional: CheckConditional }): void {
  for (const write of ["putItem", "updateItem", "deleteItem"]) {
    const { types } = fromDynalite(`./validations/${write}`);
    types.ReturnValuesOnConditionCheckFailure = { type: "String", enum: ["ALL_OLD", "NONE"] };
  }
  const { checkConditional } = database;
  database.checkConditional = (request, item) => {
    const failure = checkConditional(request, item);
    if (failure && item && request.ReturnValuesOnConditionCheckFailure === "ALL_OLD")
      failure.body.Item = item;
    return failure;
  };
}
