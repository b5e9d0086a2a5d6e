/** Values and bodies that are meant to break something. */
import fc from "fast-check";
import { times } from "../support/patching.ts";

/** JSON texts, as some of them have no JavaScript value. */
const literals = [
  "null",
  "true",
  "-0",
  "1e999",
  "1e-999",
  "0.1",
  "9007199254740993",
  "-1",
  "1001",
  '""',
  '"x"',
  '"\\u0000"',
  '"\\ud800"',
  '"__proto__"',
  '"constructor"',
  '"\u202e\u2028"',
  `"${"é".repeat(51)}"`,
  "[]",
  "{}",
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a":1,"a":2}',
  '{"toJSON":1,"then":1,"length":-1,"valueOf":null}',
  "[".repeat(40) + "]".repeat(40),
];

export const literal = fc.constantFrom(...literals);

const operation = (op: string, path: string, rest = ""): string => `{"op":"${op}","path":"${path}"${rest}}`;

/** Makes bodies of a given size, up to the limit and beyond. */
export const bombs: Readonly<Record<string, (size: number) => string>> = {
  "lists that begin": (size) => "[".repeat(size),
  "lists in one another": (size) => "[".repeat(size) + "]".repeat(size),
  "objects in one another": (size) => `${'{"a":'.repeat(size)}1${"}".repeat(size)}`,
  "a list of zeros": (size) => `[${times(size, () => "0").join()}]`,
  "a list of objects": (size) => `[${times(size, () => "{}").join()}]`,
  "an object of many members": (size) => `{${times(size, (index) => `"a${index}":0`).join()}}`,
  "an object of one member many times": (size) => `{${times(size, () => '"__proto__":0').join()}}`,
  "a text": (size) => `"${"x".repeat(size)}"`,
  "a text of escapes": (size) => `"${"\\u0000".repeat(size)}"`,
  "a number of many digits": (size) => "9".repeat(size),
  "a number of a long exponent": (size) => `-1e${"9".repeat(size)}`,
  spaces: (size) => " ".repeat(size),
  "tags that cannot be stored": (size) =>
    `{"addedTags":[${times(size, () => '{"type":"\\ud800","value":"a"}').join()}],"removedTags":[]}`,
  "tags to remove": (size) =>
    `{"addedTags":[],"removedTags":[${times(size, (index) => `{"type":"simple","value":"t${index}"}`).join()}]}`,
  "copies of the whole": (size) => `[${times(size, () => operation("copy", "/-", ',"from":""')).join()}]`,
  "copies of the first": (size) => `[${times(size, () => operation("copy", "/-", ',"from":"/0"')).join()}]`,
  "moves to and fro": (size) => `[${times(size, () => operation("move", "/0", ',"from":"/1"')).join()}]`,
  "a pointer of many tokens": (size) => `[${operation("add", "/a".repeat(size), ',"value":0')}]`,
  "a pointer of escapes, and no slash": (size) => `[${operation("add", "~1".repeat(size), ',"value":0')}]`,
  "a pointer of escapes": (size) => `[${operation("add", `/${"~0".repeat(size)}`, ',"value":0')}]`,
  "a pointer of digits": (size) => `[${operation("add", `/${"9".repeat(size)}`, ',"value":0')}]`,
  "a variant of a long name": (size) =>
    `[${operation("add", "/-", `,"value":{"name":"${"n".repeat(size)}","weight":0}`)}]`,
  "a payload of lists that begin": (size) =>
    `[${operation("add", "/-", `,"value":{"name":"p","weight":0,"payload":{"type":"json","value":"${"[".repeat(size)}"}}`)}]`,
};

const size = fc.oneof(
  fc.integer({ min: 1, max: 200 }),
  fc.constantFrom(999, 1000, 1001, 5_000, 30_000, 130_000, 262_144),
);

export const bomb: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...Object.values(bombs)), size)
  .map(([make, count]) => make(count).slice(0, 300_000));

/** Large valid lists, which later requests meet. */
export const filling: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom(10, 100, 1000))
  .map(([name, count]) => {
    const variants = times(count, (index) =>
      operation("add", "/-", `,"value":{"name":"${name}${index}","weight":0}`),
    );
    return `[${variants.join()}]`;
  });
