/** A table: its items, and the parts of them that its indexes have. */
import { type Definition, type Index, projected } from "./definition.ts";
import { Partitions } from "./partitions.ts";
import { comparePlaces, placeOf } from "./places.ts";
import { NotUnderstood } from "./refusals.ts";
import type { Item } from "./values.ts";

export class Table {
  readonly definition: Definition;
  readonly items = new Partitions();
  readonly #indexes: ReadonlyMap<string, { index: Index; items: Partitions }>;

  constructor(definition: Definition) {
    this.definition = definition;
    this.#indexes = new Map(
      [...definition.indexes].map(([name, index]) => [name, { index, items: new Partitions() }]),
    );
  }

  get(key: Item): Item | undefined {
    return this.items.get(placeOf(key, this.definition.key));
  }

  set(key: Item, item: Item | undefined): void {
    const place = placeOf(key, this.definition.key);
    const before = this.items.get(place);
    this.items.set(place, item);
    for (const { index, items } of this.#indexes.values()) {
      const old = before && projected(before, index);
      const part = item && projected(item, index);
      const from = old && placeOf(old, index, this.definition.key);
      const to = part && placeOf(part, index, this.definition.key);
      if (from && (!to || comparePlaces(from, to) !== 0)) items.set(from, undefined);
      if (to) items.set(to, part);
    }
  }

  indexed = (name: string): { index: Index; items: Partitions } => {
    const found = this.#indexes.get(name);
    if (!found) throw new NotUnderstood(`the index ${name}`);
    return found;
  };
}
