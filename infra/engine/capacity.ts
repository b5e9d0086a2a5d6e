/** Counts the capacity units that a call consumes, as DynamoDB Local does. */
import { isDeepStrictEqual } from "node:util";
import { type Definition, namesIn, projected } from "./definition.ts";
import { type Item, itemBytes } from "./values.ts";

interface CapacityOption {
  ReturnConsumedCapacity?: string;
}

export function readUnits(bytes: number, isConsistent = false): number {
  return Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5);
}

/** Counts the units of a write, in the table and in its indexes. */
export function writeUnits(
  definition: Definition,
  before: Item | undefined,
  after: Item | undefined,
): number {
  const ofIndexes = [...definition.indexes.values()].map((index) => {
    const old = before && projected(before, index);
    const part = after && projected(after, index);
    if (isDeepStrictEqual(old, part)) return 0;
    const isMoved = namesIn(index).some((name) => !isDeepStrictEqual(old?.[name], part?.[name]));
    return isMoved ? unitsOf(old) + unitsOf(part) : Math.max(unitsOf(old), unitsOf(part));
  });
  return ofIndexes.reduce((sum, units) => sum + units, Math.max(1, unitsOf(before), unitsOf(after)));
}

const unitsOf = (item: Item | undefined): number => (item ? Math.ceil(itemBytes(item) / 1024) : 0);

export function consumed(
  { ReturnConsumedCapacity: level }: CapacityOption,
  TableName: string,
  units: () => number,
) {
  return level === "TOTAL" ? { ConsumedCapacity: { TableName, CapacityUnits: units() } } : {};
}

/** The units of a batch, summed for each table. */
export function consumedByTable(
  { ReturnConsumedCapacity: level }: CapacityOption,
  units: () => readonly (readonly [table: string, units: number])[],
) {
  if (level !== "TOTAL") return {};
  const sums = new Map<string, number>();
  for (const [table, one] of units()) sums.set(table, (sums.get(table) ?? 0) + one);
  return { ConsumedCapacity: [...sums].map(([TableName, CapacityUnits]) => ({ TableName, CapacityUnits })) };
}
