/** A table's definition: its key and its indexes. */
import { toNumber } from "./paths.ts";
import { invalid, NotUnderstood, notOfSchema } from "./refusals.ts";
import { type Item, itemBytes } from "./values.ts";

type KeyType = "S" | "N" | "B";

export interface Schema {
  AttributeDefinitions: readonly { AttributeName: string; AttributeType: KeyType }[];
  KeySchema: readonly { AttributeName: string; KeyType: "HASH" | "RANGE" }[];
  GlobalSecondaryIndexes?: readonly {
    IndexName: string;
    KeySchema: Schema["KeySchema"];
    Projection: { ProjectionType: string; NonKeyAttributes?: readonly string[] };
  }[];
}

export interface KeyNames {
  partition: string;
  sort: string | undefined;
}

export interface Index extends KeyNames {
  /** The attributes of an item that the index has; undefined if it has all. */
  attributes: ReadonlySet<string> | undefined;
}

export interface Definition {
  schema: Schema;
  key: KeyNames;
  indexes: ReadonlyMap<string, Index>;
  types: ReadonlyMap<string, KeyType>;
}

const mostItemBytes = 400 * 1024;
const mostKeyBytes = { partition: 2048, sort: 1024 };

export function toDefinition(schema: Schema): Definition {
  const key = toKeyNames(schema.KeySchema);
  const types = new Map(schema.AttributeDefinitions.map((one) => [one.AttributeName, one.AttributeType]));
  const indexes = (schema.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => {
    const names = toKeyNames(KeySchema);
    const { ProjectionType, NonKeyAttributes = [] } = Projection;
    if (NonKeyAttributes.length > 0 !== (ProjectionType === "INCLUDE"))
      throw invalid(`NonKeyAttributes of a projection of the type ${ProjectionType}`);
    const some = new Set([...namesIn(key), ...namesIn(names), ...NonKeyAttributes]);
    return [IndexName, { ...names, attributes: ProjectionType === "ALL" ? undefined : some }] as const;
  });
  const used = new Set([key, ...indexes.map(([, names]) => names)].flatMap(namesIn));
  if (used.size !== types.size || [...used].some((name) => !types.has(name)))
    throw invalid("The attribute definitions are not those of the keys");
  return { schema, key, indexes: new Map(indexes), types };
}

function toKeyNames(schema: Schema["KeySchema"]): KeyNames {
  const [partition, sort, ...others] = schema;
  const isKey = partition?.KeyType === "HASH" && (!sort || sort.KeyType === "RANGE") && others.length === 0;
  if (!isKey) throw new NotUnderstood("a key other than a partition key and perhaps a sort key");
  if (partition.AttributeName === sort?.AttributeName) throw invalid("Both keys have the same name");
  return { partition: partition.AttributeName, sort: sort?.AttributeName };
}

export const namesIn = ({ partition, sort }: KeyNames): string[] =>
  sort === undefined ? [partition] : [partition, sort];

/** Returns the key of an item. */
export function keyOf(item: Item, { key, types }: Definition): Item {
  return Object.fromEntries(
    namesIn(key).map((name) => {
      const value = Object.hasOwn(item, name) ? item[name] : undefined;
      const bytes = value && bytesOfKey(value, types.get(name));
      if (!value || bytes === undefined) throw notOfSchema();
      if (bytes === 0)
        throw invalid(
          `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
        );
      const most = mostKeyBytes[name === key.partition ? "partition" : "sort"];
      if (bytes > most)
        throw invalid(
          `One or more parameter values were invalid: Size of ${name === key.partition ? "hashkey" : "rangekey"} has exceeded the maximum size limit of ${most} bytes`,
        );
      return [name, value];
    }),
  );
}

/** Returns undefined if the value is of another type. */
function bytesOfKey(value: Item[string], type: KeyType | undefined): number | undefined {
  if (type === "S" && "S" in value) return Buffer.byteLength(value.S);
  return type !== undefined && type in value ? itemBytes({ "": value }) : undefined;
}

/** Refuses an item that the table cannot store. */
export function requireStorable(item: Item, definition: Definition, tooLarge: string): void {
  if (itemBytes(item) > mostItemBytes) throw invalid(tooLarge);
  for (const [indexName, index] of definition.indexes) {
    for (const name of namesIn(index)) {
      const value = Object.hasOwn(item, name) ? item[name] : undefined;
      if (!value) continue;
      const bytes = bytesOfKey(value, definition.types.get(name));
      if (bytes === undefined)
        throw invalid(
          `One or more parameter values were invalid: Type mismatch for Index Key ${name} of ${indexName}`,
        );
      if (bytes === 0)
        throw invalid(
          `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${indexName}, IndexKey: ${name}`,
        );
      if (bytes > mostKeyBytes[name === index.partition ? "partition" : "sort"])
        throw invalid("One or more parameter values were invalid: Size limit exceeded");
      // A number that the index cannot order is refused before anything is stored.
      if ("N" in value) toNumber(value);
    }
  }
}

/** Returns the part of an item that an index has, or undefined if the index does not have the item. */
export function projected(item: Item, index: Index): Item | undefined {
  if (!namesIn(index).every((name) => Object.hasOwn(item, name))) return undefined;
  const { attributes } = index;
  if (!attributes) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => attributes.has(name)));
}
