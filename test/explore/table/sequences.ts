/** Sequences of calls such as Burgee makes, in more combinations than it makes. */
import * as fc from "fast-check";
import type { Input } from "./call.ts";
import { attributes, clause, condition, type Said, saying } from "./expressions.ts";

export interface TableCall {
  operation: string;
  input: Input;
}

interface Names {
  table: string;
  /** That the keys of one sequence have, and those of no other. */
  prefix: string;
}

export function sequences({ table, prefix }: Names): fc.Arbitrary<TableCall[]> {
  const key = fc
    .tuple(fc.constantFrom("A", "B"), fc.constantFrom("1", "2", "ä"))
    .map(([pk, sk]) => ({ pk: { S: `${prefix}${pk}` }, sk: { S: sk } }));
  const item = fc.tuple(key, attributes).map(([one, rest]) => ({ ...one, ...rest }));
  const maybe = <Value>(one: fc.Arbitrary<Value>) => fc.option(one, { nil: undefined });

  const call = fc.oneof(
    key.map((Key) => of("GetItem", { Key, ConsistentRead: true })),
    fc
      .tuple(item, maybe(condition))
      .map(([Item, said]) => of("PutItem", { Item }, { ConditionExpression: said })),
    fc
      .tuple(key, maybe(condition), fc.constantFrom("NONE", "ALL_OLD"))
      .map(([Key, said, ReturnValues]) =>
        of("DeleteItem", { Key, ReturnValues }, { ConditionExpression: said }),
      ),
    {
      weight: 5,
      arbitrary: fc
        .tuple(key, maybe(condition), clause, fc.constantFrom("NONE", "ALL_OLD", "ALL_NEW"))
        .map(([Key, said, update, ReturnValues]) =>
          of("UpdateItem", { Key, ReturnValues }, { ConditionExpression: said, UpdateExpression: update }),
        ),
    },
    fc
      .constantFrom("A", "B")
      .map((pk) =>
        of(
          "Query",
          { ConsistentRead: true },
          { KeyConditionExpression: saying("pk = :pk", { ":pk": { S: `${prefix}${pk}` } }) },
        ),
      ),
    fc
      .tuple(
        fc.constantFrom("A", "B"),
        fc.constantFrom("sk = :sk", "sk > :sk", "begins_with(sk, :sk)"),
        condition,
      )
      .map(([pk, range, filter]) =>
        of(
          "Query",
          { ConsistentRead: true },
          {
            KeyConditionExpression: saying(`pk = :pk AND ${range}`, {
              ":pk": { S: `${prefix}${pk}` },
              ":sk": { S: "1" },
            }),
            FilterExpression: filter,
          },
        ),
      ),
    fc.constant(
      of(
        "Scan",
        { ConsistentRead: true },
        { FilterExpression: saying("begins_with(pk, :pk)", { ":pk": { S: prefix } }) },
      ),
    ),
    fc
      .uniqueArray(item, { minLength: 1, maxLength: 3, selector: ({ pk, sk }) => `${pk.S} ${sk.S}` })
      .map((items) => ({
        operation: "BatchWriteItem",
        input: { RequestItems: { [table]: items.map((Item) => ({ PutRequest: { Item } })) } },
      })),
  );
  return fc.array(call, { minLength: 2, maxLength: 8 });

  function of(
    operation: string,
    input: Input,
    expressions: Record<string, Said | undefined> = {},
  ): TableCall {
    const all = Object.entries(expressions).flatMap(([member, said]) => (said ? [{ member, ...said }] : []));
    const values = Object.assign({}, ...all.map((said, index) => renamedValues(said, index)));
    const names = Object.assign({}, ...all.map((said) => said.names ?? {}));
    return {
      operation,
      input: {
        TableName: table,
        ...input,
        ...Object.fromEntries(all.map(({ member, text }, index) => [member, renamed(text, index)])),
        ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
        ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
        ...("ConditionExpression" in expressions && { ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
      },
    };
  }
}

const renamed = (text: string, index: number) => text.replaceAll(/:(\w+)/g, `:$1_${index}`);

function renamedValues({ values = {} }: Said, index: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [renamed(name, index), value]));
}
