/**
 * A DynamoDB engine in memory, for the calls that Burgee makes and no others: what it does not know, it refuses. Each
 * call is one step, so calls take effect in the order in which they arrive.
 */
import { entriesOf, mostReads, mostWrites, requireDistinct } from "./batches.ts";
import {
  type BatchGetCall,
  type BatchWriteCall,
  type CallOfTable,
  type CreateCall,
  checkCall,
  type GetCall,
  type PageCall,
  type WriteCall,
} from "./calls.ts";
import { consumed, consumedByTable, readUnits, writeUnits } from "./capacity.ts";
import { requireOnly } from "./checks.ts";
import { keyOf, namesIn } from "./definition.ts";
import { query, scan } from "./pages.ts";
import { type EngineResponse, NotUnderstood, responseOf, unsupportedCall } from "./refusals.ts";
import type { Table } from "./table.ts";
import { Tables } from "./tables.ts";
import { type Item, itemBytes } from "./values.ts";
import { batchWrite, type Write, write } from "./writes.ts";

const msPerSecond = 1000;
const msBetweenExpiries = 3_600_000;

export class Engine {
  readonly #tables: Tables;
  /** The first call drops what expired while nothing ran. */
  #nextExpiry = 0;

  constructor(tables = new Tables(() => {})) {
    this.#tables = tables;
  }

  call(operation: string, input: unknown): EngineResponse {
    this.#dropExpired(Date.now());
    try {
      return responseOf(() => {
        checkCall(operation, input);
        return { ...this.#run(operation, input as object) };
      });
    } catch (error) {
      if (error instanceof NotUnderstood) return unsupportedCall(error);
      throw error;
    }
  }

  #dropExpired(now: number): void {
    if (now < this.#nextExpiry) return;
    this.#nextExpiry = now + msBetweenExpiries;
    this.#tables.dropExpired(now / msPerSecond);
  }

  /** Expects input that `checkCall` has accepted. */
  #run(operation: string, input: object): object {
    switch (operation) {
      case "CreateTable":
        return { TableDescription: this.#tables.create(input as CreateCall) };
      case "DescribeTable":
        return { Table: this.#tables.describe((input as CallOfTable).TableName) };
      case "DeleteTable":
        return { TableDescription: this.#tables.delete((input as CallOfTable).TableName) };
      case "ListTables":
        return { TableNames: this.#tables.names() };
      case "GetItem":
        return this.#get(input as GetCall);
      case "BatchGetItem":
        return this.#getAll(input as BatchGetCall);
      case "BatchWriteItem":
        return this.#writeAll(input as BatchWriteCall);
      case "Query":
        return this.#page(query, input as PageCall);
      case "Scan":
        return this.#page(scan, input as PageCall);
      default:
        return this.#write(operation, input as WriteCall);
    }
  }

  #page(read: typeof scan, input: PageCall): object {
    return read(this.#tables.get(input.TableName), input);
  }

  #read(table: Table, key: Item): Item | undefined {
    requireOnly(key, namesIn(table.definition.key));
    return table.get(keyOf(key, table.definition));
  }

  #get(input: GetCall): object {
    const { TableName, Key, ConsistentRead } = input;
    const item = this.#read(this.#tables.get(TableName), Key);
    const units = () => readUnits(item ? itemBytes(item) : 0, ConsistentRead);
    return { ...(item && { Item: item }), ...consumed(input, TableName, units) };
  }

  #getAll(input: BatchGetCall): object {
    const requests = Object.entries(input.RequestItems);
    const keys = entriesOf(Object.fromEntries(requests.map(([name, { Keys }]) => [name, Keys])), mostReads);
    requireDistinct(keys.map(([name, key]) => [name, keyOf(key, this.#tables.get(name).definition)]));
    const found = requests.map(([name, { Keys, ConsistentRead }]) => {
      const items = Keys.map((key) => this.#read(this.#tables.get(name), key)).filter(
        (item) => item !== undefined,
      );
      // An item that is not there is free, as DynamoDB Local counts it.
      const units = items.reduce((sum, item) => sum + readUnits(itemBytes(item), ConsistentRead), 0);
      return { name, items, units };
    });
    return {
      Responses: Object.fromEntries(found.map(({ name, items }) => [name, items])),
      UnprocessedKeys: {},
      ...consumedByTable(input, () => found.map(({ name, units }) => [name, units])),
    };
  }

  #write(operation: string, input: WriteCall): object {
    const { TableName: name } = input;
    const table = this.#tables.get(name);
    const { body, ...written } = write(table.definition, operation, input, (key) => table.get(key));
    this.#store(name, written);
    return { ...body, ...consumed(input, name, () => this.#unitsOf(name, written)) };
  }

  #writeAll(input: BatchWriteCall): object {
    const writes = entriesOf(input.RequestItems, mostWrites).map(([name, request]) => {
      const table = this.#tables.get(name);
      return [name, batchWrite(table.definition, request, (key) => table.get(key))] as const;
    });
    requireDistinct(writes.map(([name, { key }]) => [name, key]));
    for (const [name, written] of writes) this.#store(name, written);
    const units = () => writes.map(([name, written]) => [name, this.#unitsOf(name, written)] as const);
    return { UnprocessedItems: {}, ...consumedByTable(input, units) };
  }

  #store(table: string, { key, after }: Write): void {
    this.#tables.change({ table, key, item: after });
  }

  #unitsOf(table: string, { before, after }: Write): number {
    return writeUnits(this.#tables.get(table).definition, before, after);
  }
}
