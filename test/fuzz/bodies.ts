/** Bodies that are right or nearly so, and what becomes of them when a few things in them are changed. */
import fc from "fast-check";
import { formatPointer } from "../../lib/contract/pointer.ts";
import { tag, value } from "../support/arbitraries.ts";
import { bomb, filling, literal } from "./hostile.ts";

const some = fc.constantFrom("team", "simple", "t1", "t2", "t3");
const likelyTag = fc.oneof(fc.record({ type: some, value: some }, { noNullPrototype: true }), tag);
const tagList = fc.array(likelyTag, { maxLength: 6 });

const update = fc.record({ addedTags: tagList, removedTags: tagList }, { noNullPrototype: true });

const text = fc.constantFrom("default", "userId", "string", "x", "{}", "[1]", "[");
const variant = fc.record(
  {
    name: fc.constantFrom("blue", "green", "red", "amber", "a.b", "~c", "caf\u00e9", ""),
    weight: fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(-1, 0.5, 1001)),
    weightType: fc.constantFrom("variable", "variable", "fix", "other"),
    stickiness: text,
    payload: fc.record({ type: fc.constantFrom("json", "string"), value: text }, { noNullPrototype: true }),
    overrides: fc.array(
      fc.record({ contextName: text, values: fc.array(text, { maxLength: 3 }) }, { noNullPrototype: true }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ["name", "weight"], noNullPrototype: true },
);

const index = fc.constantFrom("0", "0", "0", "1", "1", "2", "3", "-", "01", "length", "9999999999");
const member = fc.constantFrom("name", "weight", "weightType", "stickiness", "payload", "overrides");
const inside = fc.constantFrom("value", "type", "0", "-", "values", "contextName", "__proto__", "toString");
const pointer = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom("", "/", "//", "~2", "0", "/constructor/prototype") },
  { weight: 6, arbitrary: index.map((at) => formatPointer([at])) },
  { weight: 6, arbitrary: fc.tuple(index, member).map(formatPointer) },
  { weight: 2, arbitrary: fc.tuple(index, member, inside).map(formatPointer) },
  { weight: 1, arbitrary: fc.tuple(index, member, inside, inside, inside).map(formatPointer) },
);

const content = fc.oneof(
  { weight: 6, arbitrary: variant },
  { weight: 2, arbitrary: fc.array(variant, { maxLength: 4 }) },
  { weight: 2, arbitrary: fc.oneof(text, fc.integer({ min: 0, max: 1000 })) },
  { weight: 1, arbitrary: value },
);

const appended = variant.map((added) => ({ op: "add", path: "/-", value: added }));
const operation = fc.oneof(
  { weight: 3, arbitrary: appended },
  {
    weight: 5,
    arbitrary: fc.record(
      {
        op: fc.constantFrom("add", "remove", "replace", "replace", "copy", "move", "test"),
        path: pointer,
        from: pointer,
        value: content,
      },
      { noNullPrototype: true },
    ),
  },
);

const patch = fc.array(operation, { maxLength: 6 });

export type Body = string | Uint8Array;

/** Of a tag update, or of a patch. */
export function bodyFor(kind: "tags" | "variants"): fc.Arbitrary<Body> {
  const [right, other] = kind === "tags" ? [update, patch] : [patch, update];
  const written = right.map((json) => JSON.stringify(json));
  return fc.oneof(
    { weight: 12, arbitrary: written },
    { weight: 5, arbitrary: fc.tuple(written, changes).map(([json, change]) => changeValues(json, change)) },
    { weight: 3, arbitrary: fc.tuple(written, cuts).map(([json, cut]) => cutText(json, cut)) },
    { weight: 1, arbitrary: other.map((json) => JSON.stringify(json)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
    { weight: 1, arbitrary: bomb },
    { weight: 1, arbitrary: filling },
    { weight: 1, arbitrary: fc.oneof(fc.constant(""), literal) },
  );
}

const changes = fc.array(fc.tuple(fc.nat(), literal), { minLength: 1, maxLength: 3 });

/** Puts something else in the place of a value, or of a member's name. */
function changeValues(json: string, changed: readonly [at: number, literal: string][]): string {
  return changed.reduce((text, [at, put]) => {
    const scalars = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*|true|false|null|\[\]|\{\}/g)];
    const chosen = scalars[at % scalars.length];
    if (!chosen) return put;
    return text.slice(0, chosen.index) + put + text.slice(chosen.index + chosen[0].length);
  }, json);
}

const pieces = [
  "",
  "",
  ",",
  "{",
  "}",
  "[",
  "]",
  '"',
  "\\",
  "\u0000",
  "\ufeff",
  "\u2028",
  "//",
  "NaN",
  '"op":"add",',
];
const cuts = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 4 }), fc.constantFrom(...pieces)), {
  minLength: 1,
  maxLength: 4,
});

/** Takes some characters out, and puts others in their place. */
function cutText(json: string, cut: readonly [at: number, length: number, piece: string][]): string {
  return cut.reduce((text, [at, length, piece]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + piece + text.slice(from + length);
  }, json);
}
