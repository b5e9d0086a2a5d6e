/** Reads a page of a query or a scan. */
import type { PageCall } from "./calls.ts";
import { consumed, readUnits } from "./capacity.ts";
import { requireOnly } from "./checks.ts";
import { type Definition, type Index, type KeyNames, keyOf, namesIn, requireStorable } from "./definition.ts";
import { requireMatching, toNames, valuesOf } from "./expressions.ts";
import { comparePart, comparePlaces, type KeyPlace, placeOf } from "./places.ts";
import { invalid, NotUnderstood } from "./refusals.ts";
import type { Table } from "./table.ts";
import { type Item, itemBytes, type Value } from "./values.ts";

const pageBytes = 1024 * 1024;

export function query({ definition, items: all, indexed }: Table, input: PageCall): object {
  const { IndexName: name, ConsistentRead } = input;
  const { index, items } = name === undefined ? { index: undefined, items: all } : indexed(name);
  if (index && ConsistentRead)
    throw invalid("Consistent reads are not supported on global secondary indexes");
  const { partition, after } = readKeyCondition(definition, input, index);
  const start = startOf(definition, input, index);
  const isBefore = start && after !== undefined && comparePart(start[1] ?? "", after) <= 0;
  if (start && (start[0] !== partition || isBefore))
    throw invalid("The provided starting key does not match the range key predicate");
  const isFar = (place: KeyPlace) =>
    (!start || comparePlaces(place, start) > 0) &&
    (after === undefined || comparePart(place[1] ?? "", after) > 0);
  return page(definition, input, items.inPartition(partition, isFar), index);
}

export function scan({ definition, items }: Table, input: PageCall): object {
  return page(definition, input, items.all(startOf(definition, input) ?? []));
}

/** The only condition that the engine knows: `pk = :pk`, perhaps with `sk > :sk`. */
const keyCondition = /^(#?\w+) = (:\w+)(?: AND (#?\w+) > (:\w+))?$/;

interface KeyCondition {
  partition: KeyPlace[number];
  after: KeyPlace[number] | undefined;
}

export function readKeyCondition(definition: Definition, input: PageCall, index?: Index): KeyCondition {
  const { KeyConditionExpression: text = "", ProjectionExpression: projection } = input;
  const names = input.ExpressionAttributeNames;
  const unknown = () => new NotUnderstood(`the condition ${JSON.stringify(text)}`);
  const [, partitionName, partition, sortName, sort] = keyCondition.exec(text) ?? [];
  if (partitionName === undefined || partition === undefined) throw unknown();
  const mentions = new Set([partitionName, partition, sortName, sort].filter((name) => name !== undefined));
  requireMatching(input, [
    { kind: "KeyConditionExpression", mentions },
    ...(projection === undefined ? [] : [toNames(projection, names)]),
  ]);
  const key = index ?? definition.key;
  const partOf = (written: string, placeholder: string, name: string | undefined) => {
    const [meant] = toNames(written, names).meaning;
    const value = valuesOf(input)(placeholder);
    if (name === undefined || meant !== name || !isOfType(value, definition.types.get(name))) throw unknown();
    const [part = ""] = placeOf({ [name]: value }, { partition: name, sort: undefined });
    if (part === "")
      throw invalid("The AttributeValue for a key attribute cannot contain an empty string value");
    return part;
  };
  return {
    partition: partOf(partitionName, partition, key.partition),
    after: sortName === undefined || sort === undefined ? undefined : partOf(sortName, sort, key.sort),
  };
}

const isOfType = (value: Value, type: string | undefined) => type !== undefined && type in value;

/** Returns the place at which the page before ended. */
function startOf(definition: Definition, input: PageCall, index?: Index): KeyPlace | undefined {
  const { ExclusiveStartKey: start } = input;
  if (!start) return undefined;
  const keys = keysOf(definition, index);
  requireOnly(start, [...new Set(keys.flatMap(namesIn))]);
  keyOf(start, definition);
  requireStorable(start, definition, "");
  return placeOf(start, ...keys);
}

const keysOf = ({ key }: Definition, index: Index | undefined): KeyNames[] => (index ? [index, key] : [key]);

/** Makes a page that ends with the item that completes 1 MB, or after `Limit` items. It then says where it ended, even if nothing follows. */
function page(definition: Definition, input: PageCall, items: Iterable<Item>, index?: Index): object {
  const { Limit = Number.POSITIVE_INFINITY, TableName, ConsistentRead } = input;
  const read: Item[] = [];
  let bytes = 0;
  let hasMore = false;
  for (const item of items) {
    hasMore = bytes >= pageBytes;
    if (hasMore) break;
    bytes += itemBytes(item);
    read.push(item);
    hasMore = read.length >= Limit;
    if (hasMore) break;
  }
  const last = hasMore ? read.at(-1) : undefined;
  const names = keysOf(definition, index).flatMap(namesIn);
  return {
    Items: projectedBy(input, read, index),
    Count: read.length,
    ScannedCount: read.length,
    ...(last && { LastEvaluatedKey: Object.fromEntries(names.map((name) => [name, last[name]])) }),
    // An empty page is free, as DynamoDB Local counts it.
    ...consumed(input, TableName, () => (bytes === 0 ? 0 : readUnits(bytes, ConsistentRead))),
  };
}

function projectedBy(input: PageCall, items: readonly Item[], index: Index | undefined): readonly Item[] {
  const { ProjectionExpression: text, ExpressionAttributeNames: names } = input;
  if (text === undefined) return items;
  const wanted = toNames(text, names).meaning;
  const other = wanted.find((name) => index?.attributes && !index.attributes.has(name));
  if (other !== undefined)
    throw invalid(`One or more parameter values were invalid: the index does not project ${other}`);
  return items.map((item) => {
    const some = wanted.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]]);
    return Object.fromEntries(some);
  });
}
