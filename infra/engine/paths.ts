/** Reads and compares the values at paths into items, and replaces them in copies. */
import { invalid, NotUnderstood } from "./refusals.ts";
import type { Item, Value } from "./values.ts";

export type Path = readonly string[];

export function valueAt(item: Item, path: Path): Value | undefined {
  return path.reduce<Value | undefined>(
    (value, name) => (value && "M" in value && Object.hasOwn(value.M, name) ? value.M[name] : undefined),
    { M: item },
  );
}

/** An absent value equals nothing. */
export function isEqual(left: Value | undefined, right: Value): boolean {
  if ("M" in right || "L" in right) throw new NotUnderstood("a comparison of lists or maps");
  return left !== undefined && JSON.stringify(left) === JSON.stringify(right);
}

export function isLess(left: Value | undefined, right: Value): boolean {
  if (!("N" in right)) throw new NotUnderstood("an order of other values than numbers");
  return left !== undefined && "N" in left && toNumber(left) < toNumber(right);
}

/** DynamoDB counts with 38 digits: what JavaScript cannot hold exactly is not understood here. */
export function toNumber({ N }: { N: string }): number {
  if (!Number.isSafeInteger(Number(N)) || String(Number(N)) !== N) throw new NotUnderstood(`the number ${N}`);
  return Number(N);
}

/** Returns a copy with the value at the path, or without what is there if the value is undefined. */
export function put(item: Item, [name = "", ...rest]: Path, value: Value | undefined): Item {
  if (rest.length === 0) return value ? { ...item, [name]: value } : without(item, name);
  const inner = Object.hasOwn(item, name) ? item[name] : undefined;
  if (!inner || !("M" in inner)) {
    throw invalid("The document path provided in the update expression is invalid for update");
  }
  return { ...item, [name]: { M: put(inner.M, rest, value) } };
}

function without(item: Item, name: string): Item {
  const { [name]: _, ...others } = item;
  return others;
}

/** DynamoDB refuses two paths of which one is, or contains, the other. */
export function requireDisjoint(paths: readonly Path[]): void {
  const ends = paths.map((path) => JSON.stringify(path).slice(0, -1));
  for (const [index, one] of ends.entries()) {
    const isSame = (other: string) => `${other},`.startsWith(`${one},`) || `${one},`.startsWith(`${other},`);
    if (ends.slice(index + 1).some(isSame)) throw invalid("Two document paths overlap with each other");
  }
}
