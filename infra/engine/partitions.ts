/** Items by partition, each in the order of their places. */
import { comparePart, comparePlaces, firstAfter, type KeyPlace } from "./places.ts";
import type { Item } from "./values.ts";

interface Entry {
  place: KeyPlace;
  item: Item;
}

interface Partition {
  entries: Map<string, Entry>;
  /** The entries in order. It is made when the partition is read after an item came or went. */
  order?: Entry[] | undefined;
}

export class Partitions {
  readonly #partitions = new Map<string | number, Partition>();
  #names: (string | number)[] | undefined;

  get(place: KeyPlace): Item | undefined {
    return this.#partitions.get(nameIn(place))?.entries.get(idOf(place))?.item;
  }

  set(place: KeyPlace, item: Item | undefined): void {
    const name = nameIn(place);
    const id = idOf(place);
    const found = this.#partitions.get(name);
    const known = found?.entries.get(id);
    if (known && item) known.item = item;
    else if (item) this.#add(name, id, { place, item });
    else if (found && known) this.#remove(name, id, found);
  }

  #add(name: string | number, id: string, entry: Entry): void {
    const partition: Partition = this.#partitions.get(name) ?? { entries: new Map() };
    if (partition.entries.size === 0) this.#names = undefined;
    this.#partitions.set(name, partition);
    partition.entries.set(id, entry);
    partition.order = undefined;
  }

  #remove(name: string | number, id: string, partition: Partition): void {
    partition.entries.delete(id);
    partition.order = undefined;
    if (partition.entries.size > 0) return;
    this.#partitions.delete(name);
    this.#names = undefined;
  }

  /** Yields the items of a partition from the first far place on. If `isFar` holds for a place, it must hold for all after it. */
  *inPartition(name: string | number, isFar: (place: KeyPlace) => boolean): Iterable<Item> {
    const partition = this.#partitions.get(name);
    if (!partition) return;
    partition.order ??= [...partition.entries.values()].sort((left, right) =>
      comparePlaces(left.place, right.place),
    );
    const { order } = partition;
    const first = firstAfter(order, ({ place }) => isFar(place));
    for (let index = first; index < order.length; index++) yield (order[index] as Entry).item;
  }

  /** Yields all items whose places come after this one, sorted by partition: an order that no write changes. */
  *all(after: KeyPlace): Iterable<Item> {
    this.#names ??= [...this.#partitions.keys()].sort(comparePart);
    const names = this.#names;
    const [from] = after;
    const first = from === undefined ? 0 : firstAfter(names, (name) => comparePart(name, from) >= 0);
    for (let index = first; index < names.length; index++)
      yield* this.inPartition(names[index] as string | number, (place) => comparePlaces(place, after) > 0);
  }
}

const nameIn = ([name = ""]: KeyPlace): string | number => name;
const idOf = ([, ...sort]: KeyPlace): string => JSON.stringify(sort);
