/** Sequences of calls such as Burgee makes, in more combinations than it makes. */
import * as fc from "fast-check";
import type { TableCall } from "../explore/table/table.ts";

const string = fc.constantFrom("x", "xy", "ü").map((S) => ({ S }));
const number = fc.integer({ min: -3, max: 30 }).map((N) => ({ N: String(N) }));
const scalar = fc.oneof(
  string,
  number,
  fc.boolean().map((BOOL) => ({ BOOL })),
);
const list = fc.array(scalar, { maxLength: 2 }).map((L) => ({ L }));
const map = fc.dictionary(fc.constantFrom("a", "b", "[1]"), scalar, { maxKeys: 2 }).map((M) => ({ M }));

const key = fc.record({
  pk: fc.constantFrom("PREFIX-A", "PREFIX-B").map((S) => ({ S })),
  sk: fc.constantFrom("1", "2", "ä").map((S) => ({ S })),
});
const attributes = fc.record({ n: number, s: string, m: map, l: list }, { requiredKeys: [] });
const item = fc.tuple(key, attributes).map(([one, rest]) => ({ ...one, ...rest }));

/** What expressions may mention. */
const names = { "#x": "[1]", "#b": "b" };
const values = fc.record({ ":n": number, ":o": number, ":s": string, ":m": map, ":l": list });

const path = fc.constantFrom("n", "s", "m", "m.a", "m.#x", "gone");
const comparison = fc.oneof(
  fc.tuple(path, fc.constantFrom("= :n", "= :s", "< :o", "IN (:n, :s)")).map((parts) => parts.join(" ")),
  path.map((at) => `attribute_exists(${at})`),
  path.map((at) => `attribute_not_exists(${at})`),
);
const condition = fc.oneof(
  fc.constant(undefined),
  comparison,
  fc.tuple(comparison, comparison).map((both) => both.join(" AND ")),
);
const update = fc.oneof(
  fc
    .tuple(fc.constantFrom("s", "m", "m.#x", "t"), fc.constantFrom(":n", ":s", ":m", ":l"))
    .map(([at, value]) => `SET ${at} = ${value}`),
  path.map((at) => `REMOVE ${at}`),
  fc.constantFrom("SET s = :s, m.a = :n REMOVE gone", "SET m.a = :s, m.#x = :n REMOVE m.#b"),
);

const placeOf = ({ pk, sk }: { pk: { S: string }; sk: { S: string } }) => `${pk.S} ${sk.S}`;

export function sequences(TableName: string): fc.Arbitrary<TableCall[]> {
  const call = fc.oneof(
    key.map((Key) => ({ operation: "GetItem", input: { TableName, Key, ConsistentRead: true } })),
    fc.constantFrom("PREFIX-A", "PREFIX-B").map((S) => ({
      operation: "Query",
      input: {
        ...{ TableName, ConsistentRead: true, KeyConditionExpression: "pk = :pk" },
        ExpressionAttributeValues: { ":pk": { S } },
      },
    })),
    written("PutItem", fc.record({ Item: item })),
    fc.uniqueArray(item, { minLength: 1, maxLength: 3, selector: placeOf }).map((items) => ({
      operation: "BatchWriteItem",
      input: { RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } },
    })),
    fc.uniqueArray(key, { minLength: 1, maxLength: 3, selector: placeOf }).map((Keys) => ({
      operation: "BatchGetItem",
      input: { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } },
    })),
    written("DeleteItem", fc.record({ Key: key })),
    {
      weight: 5,
      arbitrary: written(
        "UpdateItem",
        fc.record({
          Key: key,
          UpdateExpression: update,
          ReturnValues: fc.constantFrom("NONE", "ALL_NEW"),
        }),
      ),
    },
  );
  return fc.array(call, { minLength: 2, maxLength: 8 });

  function written(operation: string, input: fc.Arbitrary<object>): fc.Arbitrary<TableCall> {
    return fc.tuple(input, condition, values).map(([rest, said, values]) => {
      const mentioned = `${said} ${"UpdateExpression" in rest ? rest.UpdateExpression : ""}`;
      const expressions = {
        ...(said && { ConditionExpression: said }),
        ...used("ExpressionAttributeNames", names, mentioned),
        ...used("ExpressionAttributeValues", values, mentioned),
      };
      const shown = { ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
      return { operation, input: { TableName, ...rest, ...expressions, ...shown } };
    });
  }
}

/** DynamoDB refuses names and values that no expression mentions. */
function used(member: string, all: object, text: string): object {
  const some = Object.entries(all).filter(([name]) => text.includes(name));
  return some.length > 0 ? { [member]: Object.fromEntries(some) } : {};
}
