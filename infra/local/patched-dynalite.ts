/** Patches dynalite where it differs from AWS, or where its data would not survive. */
import type { Server } from "node:http";
import { createRequire } from "node:module";

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
countBytes(database);

/** Settles when the database that `create` made last is open. */
let opening: Promise<void>;

/** Throws if the database cannot be opened: dynalite would start all the same, and fail every call without a reason. */
export async function createPatched(options: object): Promise<Server> {
  const server = dynalite(options);
  await opening;
  return server;
}

interface Level {
  open(): Promise<void>;
  iterator(
    range: object,
  ): AsyncIterable<[key: string, table: { TableStatus?: string; GlobalSecondaryIndexes?: object[] }]>;
  put(key: string, table: object): Promise<void>;
}

function followOpening(database: { create(options: object): { db: Level } }): void {
  const { create } = database;
  database.create = (options) => {
    const created = create(options);
    opening = open(created.db);
    return created;
  };
}

async function open(db: Level): Promise<void> {
  try {
    await db.open();
  } catch (error) {
    throw (error as Error).cause ?? error;
  }
  // A process that was killed before it had activated its new table leaves one that never becomes active.
  for await (const [key, table] of db.iterator({ gte: "table~", lt: "table\u007f" })) {
    if (table.TableStatus !== "CREATING") continue;
    const indexes = table.GlobalSecondaryIndexes?.map((index) => ({ ...index, IndexStatus: "ACTIVE" }));
    await db.put(key, { ...table, TableStatus: "ACTIVE", GlobalSecondaryIndexes: indexes });
  }
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

/** dynalite counts the characters of an item, AWS its bytes in UTF-8, of which Latin-1 makes a character each. */
function countBytes(database: { itemSize(item: object, ...options: unknown[]): number }): void {
  const { itemSize } = database;
  database.itemSize = (item, ...options) => {
    const json = JSON.stringify(item);
    const isAscii = Buffer.byteLength(json) === json.length;
    return itemSize(isAscii ? item : JSON.parse(Buffer.from(json).toString("latin1")), ...options);
  };
}
