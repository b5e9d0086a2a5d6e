/** A table: its items by partition, in the order of their sort keys, and its indexes. */
import { type Item, NotUnderstood } from "./expressions.ts";
import { compareText } from "./values.ts";

export interface KeyNames {
  partition: string;
  sort: string;
}

export interface Definition {
  key: KeyNames;
  indexes: Readonly<Record<string, IndexNames>>;
}

/** Without `attributes` an index has all of an item. */
export interface IndexNames extends KeyNames {
  attributes?: readonly string[];
}

/** An item's place; those of an index end with the keys of the table, as several items may have one key of the index. */
type Place = readonly [partition: string, ...sort: string[]];

/** Items by partition. The order of a partition's items is made when it is read after a change of its places. */
class Partitions {
  readonly #partitions = new Map<
    string,
    { items: Map<string, { place: Place; item: Item }>; order?: Item[] | undefined }
  >();
  #names: string[] | undefined;

  get([partition, ...sort]: Place): Item | undefined {
    return this.#partitions.get(partition)?.items.get(sort.join("\0"))?.item;
  }

  set(place: Place, item: Item | undefined): void {
    const [partition, ...sort] = place;
    let found = this.#partitions.get(partition);
    if (!found) {
      if (!item) return;
      found = { items: new Map() };
      this.#partitions.set(partition, found);
      this.#names = undefined;
    }
    const at = sort.join("\0");
    found.order = undefined;
    if (item) found.items.set(at, { place, item });
    else found.items.delete(at);
    if (found.items.size > 0) return;
    this.#partitions.delete(partition);
    this.#names = undefined;
  }

  ordered(partition: string): readonly Item[] {
    const found = this.#partitions.get(partition);
    if (!found) return [];
    found.order ??= [...found.items.values()]
      .sort((left, right) => comparePlaces(left.place, right.place))
      .map(({ item }) => item);
    return found.order;
  }

  /** The partitions' names in an order that writes do not change. */
  names(): readonly string[] {
    this.#names ??= [...this.#partitions.keys()].sort(compareText);
    return this.#names;
  }
}

export function comparePlaces(left: Place, right: Place): number {
  for (const [index, one] of left.entries()) {
    const order = compareText(one, right[index] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

export class Table {
  readonly definition: Definition;
  readonly #items = new Partitions();
  readonly #indexes: ReadonlyMap<string, Partitions>;

  constructor(definition: Definition) {
    this.definition = definition;
    this.#indexes = new Map(Object.keys(definition.indexes).map((name) => [name, new Partitions()]));
  }

  get(key: Item): Item | undefined {
    return this.#items.get(placeOf(key, this.definition.key));
  }

  /** Returns the item before. */
  set(key: Item, item: Item | undefined): Item | undefined {
    const place = placeOf(key, this.definition.key);
    const before = this.#items.get(place);
    this.#items.set(place, item);
    for (const [name, index] of this.#indexes) {
      const keyNames = this.definition.indexes[name] as KeyNames;
      const old = before && indexPlace(before, keyNames, place);
      const next = item && indexPlace(item, keyNames, place);
      if (old && (!next || comparePlaces(old, next) !== 0)) index.set(old, undefined);
      if (next) index.set(next, projected(item, this.definition.indexes[name]));
    }
    return before;
  }

  /** In the order of the sort keys. */
  partition(name: string, index?: string): readonly Item[] {
    return this.#of(index).ordered(name);
  }

  partitions(): readonly string[] {
    return this.#items.names();
  }

  placeOf(item: Item, index?: string): Place {
    const place = placeOf(item, this.definition.key);
    if (index === undefined) return place;
    return indexPlace(item, this.definition.indexes[index] as KeyNames, place) ?? place;
  }

  #of(index: string | undefined): Partitions {
    if (index === undefined) return this.#items;
    const found = this.#indexes.get(index);
    if (!found) throw new NotUnderstood(`the index ${index}`);
    return found;
  }
}

function placeOf(item: Item, { partition, sort }: KeyNames): Place {
  const [one, other] = [item[partition], item[sort]];
  if (!one || !("S" in one) || !other || !("S" in other))
    throw new NotUnderstood(`a key that is not ${partition} and ${sort}`);
  return [one.S, other.S];
}

/** An item without the index's attributes is not in it. */
function indexPlace(item: Item, { partition, sort }: KeyNames, place: Place): Place | undefined {
  const [one, other] = [item[partition], item[sort]];
  return one && "S" in one && other && "S" in other ? [one.S, other.S, ...place] : undefined;
}

/** The part of an item that its index has. */
function projected(item: Item, index: IndexNames | undefined): Item {
  const { attributes } = index ?? {};
  if (!attributes) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => attributes.includes(name)));
}
