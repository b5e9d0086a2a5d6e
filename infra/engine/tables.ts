/** Holds the tables of an engine by name, and reports each change of them. */
import type { CreateCall } from "./calls.ts";
import { keyOf, type Schema, toDefinition } from "./definition.ts";
import { Refused } from "./refusals.ts";
import { Table } from "./table.ts";
import type { Item } from "./values.ts";

/** What a call changed: an item, or a table that was created or deleted. */
export type TableChange =
  | { table: string; key: Item; item: Item | undefined }
  | { table: string; schema: Schema | undefined };

export class Tables {
  readonly #tables = new Map<string, Table>();
  readonly #onChange: (change: TableChange) => void;

  /** `onChange` is called for each change, in their order. */
  constructor(onChange: (change: TableChange) => void) {
    this.#onChange = onChange;
  }

  get(name: string): Table {
    const table = this.#tables.get(name);
    if (!table) throw new Refused("ResourceNotFoundException", "Requested resource not found");
    return table;
  }

  names(): string[] {
    return [...this.#tables.keys()].sort();
  }

  change(change: TableChange): void {
    this.load(change);
    this.#onChange(change);
  }

  /** Applies a change that is stored already. */
  load(change: TableChange): void {
    if (!("schema" in change)) this.get(change.table).set(change.key, change.item);
    else if (change.schema) this.#tables.set(change.table, new Table(toDefinition(change.schema)));
    else this.#tables.delete(change.table);
  }

  /** Drops the items whose `ttl` has passed, as DynamoDB does where the table has a time to live. */
  dropExpired(nowSeconds: number): void {
    for (const [table, { definition, items }] of this.#tables) {
      const expired = [...items.all([])].filter(
        ({ ttl }) => ttl && "N" in ttl && Number(ttl.N) <= nowSeconds,
      );
      for (const item of expired) this.change({ table, key: keyOf(item, definition), item: undefined });
    }
  }

  create({ TableName: table, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes }: CreateCall): object {
    if (this.#tables.has(table))
      throw new Refused("ResourceInUseException", `Table already exists: ${table}`);
    const indexes = GlobalSecondaryIndexes && { GlobalSecondaryIndexes };
    this.change({ table, schema: { AttributeDefinitions, KeySchema, ...indexes } });
    return this.describe(table);
  }

  describe(name: string): object {
    const { GlobalSecondaryIndexes = [], ...others } = this.get(name).definition.schema;
    const indexes = GlobalSecondaryIndexes.map((index) => ({ ...index, IndexStatus: "ACTIVE" }));
    return {
      TableName: name,
      TableStatus: "ACTIVE",
      ...others,
      BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
      ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
    };
  }

  delete(table: string): object {
    const description = { ...this.describe(table), TableStatus: "DELETING" };
    const { definition, items } = this.get(table);
    for (const item of [...items.all([])])
      this.change({ table, key: keyOf(item, definition), item: undefined });
    this.change({ table, schema: undefined });
    return description;
  }
}
