/**
 * A DynamoDB table in memory, for the calls that Burgee makes and no others. What it does not know it does not answer:
 * it throws. test/explore/table/table.test.ts compares it with real engines.
 */
import { compareText, type Item, itemBytes, NotUnderstood, Refused } from "./values.ts";

export interface Key {
  pk: string;
  sk: string;
}

export interface Change {
  key: Key;
  before: Item | undefined;
  after: Item | undefined;
}

export interface Table {
  readonly name: string;
  get(key: Key): Item | undefined;
  /** Stores an item in place of what has its key, or removes that. */
  set(key: Key, after: Item | undefined): void;
  /** The sort keys in a partition, in order. */
  sortKeys(pk: string): readonly string[];
  partitions(): readonly string[];
  /** Another with the same items, which goes its own way. */
  copy(): Table;
  /** The changes so far, in their order. */
  readonly changes: readonly Change[];
}

const mostBytes = 400 * 1024;

type Partitions = ReadonlyMap<string, ReadonlyMap<string, Item>>;

export function createTable(name: string, stored: Partitions = new Map()): Table {
  let partitions = stored;
  const changes: Change[] = [];
  return {
    name,
    changes,
    get: ({ pk, sk }) => partitions.get(pk)?.get(sk),
    set(key, after) {
      if (after && itemBytes(after) > mostBytes) {
        const what = "Item size to update has exceeded the maximum allowed size";
        throw new Refused("ValidationException", what);
      }
      const items = new Map(partitions.get(key.pk));
      const before = items.get(key.sk);
      if (before === after) return;
      if (after) items.set(key.sk, after);
      else items.delete(key.sk);
      const others = [...partitions].filter(([pk]) => pk !== key.pk);
      const all = items.size > 0 ? [...others, [key.pk, items] as const] : others;
      partitions = new Map(all.sort(([one], [other]) => compareText(one, other)));
      changes.push({ key, before, after });
    },
    sortKeys: (pk) => [...(partitions.get(pk)?.keys() ?? [])].sort(compareText),
    partitions: () => [...partitions.keys()],
    copy: () => createTable(name, partitions),
  };
}

/** The key of an item, or a key that is given by itself. */
export function keyOf({ pk, sk, ...rest }: Item, { alone = false } = {}): Key {
  if (!pk || !("S" in pk) || !sk || !("S" in sk)) throw new NotUnderstood("a key that is not pk and sk");
  if (alone && Object.keys(rest).length > 0) throw new NotUnderstood("a key of more than pk and sk");
  return { pk: pk.S, sk: sk.S };
}
