/** Values and bodies that are meant to break something. */
import { times } from "../support/patching.ts";

/** JSON texts, as some of them have no JavaScript value. */
export const literals = [
  ...["null", "true", "-0", "1e999", "0.1", "9007199254740993", "-1", "1001", "[]", "{}", '""', '"x"'],
  ...['"\\u0000"', '"\\ud800"', '"__proto__"', '"constructor"', '"\u202e\u2028"', `"${"é".repeat(51)}"`],
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a":1,"a":2}',
  '{"toJSON":1,"then":1,"length":-1,"valueOf":null}',
  "[".repeat(40) + "]".repeat(40),
];

const operation = (op: string, path: string, rest = ""): string => `{"op":"${op}","path":"${path}"${rest}}`;
const list = (size: number, make: (index: number) => string) => `[${times(size, make).join()}]`;

/** Makes bodies of a given size, up to the limit and beyond. */
export const bombs: Readonly<Record<string, (size: number) => string>> = {
  "lists that begin": (size) => "[".repeat(size),
  "lists in one another": (size) => "[".repeat(size) + "]".repeat(size),
  "objects in one another": (size) => `${'{"a":'.repeat(size)}1${"}".repeat(size)}`,
  "a list of zeros": (size) => list(size, () => "0"),
  "a list of objects": (size) => list(size, () => "{}"),
  "an object of many members": (size) => `{${times(size, (index) => `"a${index}":0`).join()}}`,
  "an object of one member many times": (size) => `{${times(size, () => '"__proto__":0').join()}}`,
  "a text of escapes": (size) => `"${"\\u0000".repeat(size)}"`,
  "a number of many digits": (size) => "9".repeat(size),
  spaces: (size) => " ".repeat(size),
  "tags that cannot be stored": (size) =>
    `{"addedTags":${list(size, () => '{"type":"\\ud800","value":"a"}')},"removedTags":[]}`,
  "tags to remove": (size) =>
    `{"addedTags":[],"removedTags":${list(size, (index) => `{"type":"simple","value":"t${index}"}`)}}`,
  "copies of the whole": (size) => list(size, () => operation("copy", "/-", ',"from":""')),
  "copies of the first": (size) => list(size, () => operation("copy", "/-", ',"from":"/0"')),
  "moves to and fro": (size) => list(size, () => operation("move", "/0", ',"from":"/1"')),
  "a pointer of many tokens": (size) => `[${operation("add", "/a".repeat(size), ',"value":0')}]`,
  "a pointer of escapes, and no slash": (size) => `[${operation("add", "~1".repeat(size), ',"value":0')}]`,
  "a pointer of escapes": (size) => `[${operation("add", `/${"~0".repeat(size)}`, ',"value":0')}]`,
  "a pointer of digits": (size) => `[${operation("add", `/${"9".repeat(size)}`, ',"value":0')}]`,
  "a variant of a long name": (size) =>
    `[${operation("add", "/-", `,"value":{"name":"${"n".repeat(size)}","weight":0}`)}]`,
  "a payload of lists that begin": (size) =>
    `[${operation("add", "/-", `,"value":{"name":"p","weight":0,"payload":{"type":"json","value":"${"[".repeat(size)}"}}`)}]`,
};
