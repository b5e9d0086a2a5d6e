/** Expressions such as Burgee's, in more combinations, with values of every type. */
import * as fc from "fast-check";

const name = fc.constantFrom("n", "s", "m", "l", "t", "gone");
const ascii = fc.constantFrom("", "x", "xy").map((S) => ({ S }));
const string = fc.oneof(ascii, fc.constant({ S: "ü" }));
/** The engine in `npm test` finds an empty string in no list of IN. */
const filled = string.filter(({ S }) => S !== "");
const number = fc.integer({ min: -3, max: 30 }).map((N) => ({ N: String(N) }));
const set = fc.subarray(["p", "q", "r"], { minLength: 1 }).map((SS) => ({ SS }));
const bytes = fc
  .uint8Array({ minLength: 1, maxLength: 3 })
  .map((B) => ({ B: Buffer.from(B).toString("base64") }));
/** What `size` may meet: of other strings engines tell different sizes. */
const scalar = fc.oneof(
  ascii,
  number,
  bytes,
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.constant({ NULL: true }),
);
const list = fc.array(scalar, { maxLength: 3 }).map((L) => ({ L }));
const map = fc.dictionary(fc.constantFrom("a", "b", "[1]"), scalar, { maxKeys: 2 }).map((M) => ({ M }));

export const attributes = fc.record(
  { n: number, s: string, m: map, l: list, t: set, b: bytes },
  { requiredKeys: [] },
);

/** What an expression says, with the names and values that it uses. */
export interface Said {
  text: string;
  names?: Record<string, string>;
  values?: Record<string, unknown>;
}

export const saying = (
  text: string,
  values: Record<string, unknown> = {},
  names: Record<string, string> = {},
): Said => ({
  ...{ text, values, names },
});

const path = fc.oneof(name, fc.constantFrom("m.a", "m.#x", "l[0]", "l[1]"));
const named = (text: string): Record<string, string> => (text.includes("#x") ? { "#x": "[1]" } : {});

const comparison: fc.Arbitrary<Said> = fc.oneof(
  fc
    .tuple(path, fc.constantFrom("=", "<>", "<", "<=", ">", ">="), fc.oneof(number, string))
    .map(([at, operator, value]) => saying(`${at} ${operator} :c`, { ":c": value }, named(at))),
  path.map((at) => saying(`attribute_exists(${at})`, {}, named(at))),
  path.map((at) => saying(`attribute_not_exists(${at})`, {}, named(at))),
  // As a turn is given up.
  number.map((value) => saying("attribute_not_exists(n) OR n < :c", { ":c": value })),
  fc
    .tuple(path, number, filled)
    .map(([at, one, other]) => saying(`${at} IN (:i, :j)`, { ":i": one, ":j": other }, named(at))),
  fc
    .tuple(fc.constantFrom("l", "m", "t"), number)
    .map(([at, value]) => saying(`size(${at}) = :z`, { ":z": value })),
  filled.map((value) => saying("begins_with(s, :b)", { ":b": value })),
);

/** The second's values have names of their own. */
function joined(one: Said, other: Said, how: (one: string, other: string) => string): Said {
  const renamed = (text: string) => text.replaceAll(/:(\w)\b/g, ":$1$1");
  const values = Object.entries(other.values ?? {}).map(([key, value]) => [renamed(key), value]);
  return {
    text: how(one.text, renamed(other.text)),
    names: { ...one.names, ...other.names },
    values: { ...one.values, ...Object.fromEntries(values) },
  };
}

export const condition: fc.Arbitrary<Said> = fc.oneof(
  { weight: 3, arbitrary: comparison },
  fc.tuple(comparison, comparison).map(([one, other]) => joined(one, other, (a, b) => `${a} AND ${b}`)),
  fc.tuple(comparison, comparison).map(([one, other]) => joined(one, other, (a, b) => `(${a}) OR NOT ${b}`)),
);

export const clause: fc.Arbitrary<Said> = fc.oneof(
  fc
    .tuple(path, fc.oneof(scalar, list, map, set))
    .map(([at, value]) => saying(`SET ${at} = :v`, { ":v": value }, named(at))),
  number.map((value) => saying("SET n = n + :v", { ":v": value })),
  fc
    .tuple(number, number)
    .map(([one, value]) => saying("SET n = if_not_exists(n, :w) - :v", { ":w": one, ":v": value })),
  // As a ticket of a queue is taken.
  fc
    .tuple(number, number)
    .map(([one, value]) => saying("SET n = if_not_exists(n, :w) + :v", { ":v": value, ":w": one })),
  path.map((at) => saying(`REMOVE ${at}`, {}, named(at))),
  fc
    .tuple(string, number)
    .map(([one, other]) => saying("SET s = :v, m.a = :w REMOVE gone", { ":v": one, ":w": other })),
);
