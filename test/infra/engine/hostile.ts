/** Makes calls hostile: at a random place each has something that no call of Burgee has. */
import * as fc from "fast-check";
import type { TableCall } from "../../explore/table/table.ts";

const values = [
  ...[null, true, 0, -1, 1.5, 2 ** 53, "", "x", "\ud800", [], {}, [[]], "constructor"],
  ...[{ N: "9007199254740993" }, { N: "1e5" }, { N: "NaN" }, { N: "007" }, { N: "-0" }, { N: 1 }],
  ...[{ B: "AAA=" }, { B: "no" }, { SS: ["a"] }, { NS: ["1"] }, { S: "" }, { S: "x", N: "1" }, { M: [] }],
  ...[{ NULL: false }, { BOOL: "true" }, { L: {} }, { S: "\ud800" }, { S: "\0" }, { X: "x" }],
];
const members = [
  ...["Expected", "ConditionalOperator", "AttributesToGet", "ScanIndexForward", "Select", "FilterExpression"],
  ...["constructor", "toString", "__proto__", "Key", "Item", "Limit", "IndexName", "ConsistentRead", ""],
];
const expressions = [
  ...[
    "pk = :pk OR sk = :pk",
    "NOT sk = :n",
    "size(n) = :n",
    "contains(s, :s)",
    "n BETWEEN :n AND :o",
    "(n = :n)",
  ],
  ...[
    "ADD n :n",
    "DELETE l :l",
    "SET n = n + :n",
    "SET l[0] = :n",
    "SET n = if_not_exists(n, :n)",
    "SET pk = :s",
  ],
  ...["SET m = :m, m.a = :n", "REMOVE", "set n = :n", "name = :n", "", "SET constructor = :n", "n = :n AND"],
];

export function hostile(calls: fc.Arbitrary<TableCall[]>): fc.Arbitrary<TableCall[]> {
  const change = fc.record({ at: fc.nat(), how: fc.nat(2), value: fc.nat() });
  return fc.tuple(calls, fc.array(change, { minLength: 14, maxLength: 14 })).map(([all, changes]) =>
    all.map(({ operation, input }, index) => {
      const { at = 0, how = 0, value = 0 } = changes[index] ?? {};
      return { operation, input: changed(input, at, how, value) };
    }),
  );
}

function changed(input: object, at: number, how: number, value: number): TableCall["input"] {
  const copy = structuredClone(input);
  const places = placesIn(copy);
  const [holder, name] = places[at % places.length] ?? [copy, "none"];
  const given = holder as Record<string, unknown>;
  if (how === 0) given[name] = values[value % values.length];
  else if (how === 1) {
    const member = members[value % members.length] ?? "";
    Object.defineProperty(given, member, { value: values[at % values.length], enumerable: true });
  } else {
    const known = [
      "ConditionExpression",
      "UpdateExpression",
      "KeyConditionExpression",
      "ProjectionExpression",
    ];
    const some = known.filter((one) => Object.hasOwn(copy, one));
    (copy as Record<string, unknown>)[some[at % some.length] ?? "ConditionExpression"] =
      expressions[value % expressions.length];
  }
  return copy as TableCall["input"];
}

/** Each member and element, with the object or list that has it. */
function placesIn(value: object): [object, string][] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const deeper = typeof inner === "object" && inner !== null ? placesIn(inner) : [];
    return [[value, name] as [object, string], ...deeper];
  });
}
