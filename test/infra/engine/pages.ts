/** Calls on items that the index has: queries of it, with projections and by pages. */
import * as fc from "fast-check";
import type { TableCall } from "../../explore/table/table.ts";

const partition = fc.constantFrom("PREFIX-A", "PREFIX-B");
const sort = fc.constantFrom("1", "2", "ä", "￿", "😀");
const list = fc.constantFrom("PREFIX-list", "PREFIX-other");
const text = fc.constantFrom("", "x", "ü".repeat(600), "y".repeat(5000)).map((S) => ({ S }));
const number = fc
  .oneof(
    fc.integer({ min: -2000, max: 2000 }),
    fc.constantFrom("1.5", "0.25", "110", "100000000000000000000"),
  )
  .map((N) => ({ N: String(N) }));

const S = (value: string) => ({ S: value });
const key = fc.tuple(partition, sort).map(([pk, sk]) => ({ pk: S(pk), sk: S(sk) }));
const others = fc.record(
  {
    inList: list.map(S),
    id: text,
    revision: number,
    hidden: text,
    tags: fc.dictionary(fc.constantFrom("a", "ß"), number, { maxKeys: 2 }).map((M) => ({ M })),
  },
  { requiredKeys: [] },
);
const limits = fc.record({ Limit: fc.integer({ min: 1, max: 4 }) }, { requiredKeys: [] });

/**
 * No two items have one place in the index, where their order is not defined. An item has both of its keys or none:
 * DynamoDB Local counts units for one that has half of them, which AWS does not store there.
 */
function listed({ pk, sk }: { pk: { S: string }; sk: { S: string } }, { inList }: { inList?: object }) {
  return inList ? { listedAs: S(`${sk.S}-${pk.S}`) } : {};
}

/** Every call asks for its units. */
export function pagedSequences(TableName: string): fc.Arbitrary<TableCall[]> {
  const call = fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(key, others)
        .map(([one, rest]) => toCall("PutItem", { Item: { ...one, ...rest, ...listed(one, rest) } })),
    },
    fc
      .tuple(key, fc.constantFrom("inList", "listedAs", "hidden", "id"))
      .map(([Key, name]) =>
        toCall("UpdateItem", { Key, UpdateExpression: `REMOVE ${name}`, ReturnValues: "ALL_NEW" }),
      ),
    fc.tuple(key, text).map(([Key, value]) =>
      toCall("UpdateItem", {
        ...{ Key, UpdateExpression: "SET id = :id, hidden = :id" },
        ExpressionAttributeValues: { ":id": value },
      }),
    ),
    key.map((Key) => toCall("DeleteItem", { Key })),
    fc.tuple(key, fc.boolean()).map(([Key, ConsistentRead]) => toCall("GetItem", { Key, ConsistentRead })),
    { weight: 3, arbitrary: fc.tuple(partition, sort, fc.boolean(), limits).map(ofTable) },
    { weight: 4, arbitrary: fc.tuple(list, sort, fc.integer({ min: 0, max: 3 }), limits).map(ofIndex) },
  );
  return fc.array(call, { minLength: 4, maxLength: 14 });

  function toCall(operation: string, input: object): TableCall {
    return { operation, input: { TableName, ReturnConsumedCapacity: "TOTAL", ...input } };
  }

  function ofTable([pk, sk, ConsistentRead, limit]: [string, string, boolean, object]): TableCall {
    const start = ConsistentRead ? {} : { ExclusiveStartKey: { pk: S(pk), sk: S(sk) } };
    return toCall("Query", {
      ...{ ConsistentRead, KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": S(pk) } },
      ...{ ...limit, ...start },
    });
  }

  function ofIndex([inList, after, kind, limit]: [string, string, number, object]): TableCall {
    const start = { inList: S(inList), listedAs: S(after), pk: S("PREFIX-A"), sk: S("2") };
    const projection = {
      ProjectionExpression: "#a,#b",
      ExpressionAttributeNames: { "#a": "id", "#b": "revision" },
    };
    return toCall("Query", {
      ...{ IndexName: "lists", ...limit },
      KeyConditionExpression: kind === 1 ? "inList = :list AND listedAs > :after" : "inList = :list",
      ExpressionAttributeValues: { ":list": S(inList), ...(kind === 1 && { ":after": S(after) }) },
      ...(kind === 2 && { ExclusiveStartKey: start }),
      ...(kind >= 1 && projection),
    });
  }
}
