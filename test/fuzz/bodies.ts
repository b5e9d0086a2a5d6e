/** Draws bodies that are valid or nearly so. */
import fc from "fast-check";
import { formatPointer } from "../../lib/contract/json-pointer.ts";
import { tag, value } from "../support/arbitraries.ts";
import { bomb, filling, literal } from "./hostile.ts";
import { changes, changeValues, cuts, cutText } from "./spoil.ts";

const some = fc.constantFrom("team", "simple", "t1", "t2", "t3");
const likelyTag = fc.oneof(fc.record({ type: some, value: some }, { noNullPrototype: true }), tag);
const tagList = fc.array(likelyTag, { maxLength: 6 });

const update = fc.record({ addedTags: tagList, removedTags: tagList }, { noNullPrototype: true });

const text = fc.constantFrom("default", "userId", "string", "x", "{}", "[1]", "[");
const variantName = fc.constantFrom("blue", "green", "red", "amber", "a.b", "~c", "caf\u00e9", "");
const nameless = fc.record(
  {
    weight: fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(-1, 0.5, 1001)),
    weightType: fc.constantFrom("variable", "variable", "fix", "other"),
    stickiness: text,
    payload: fc.record({ type: fc.constantFrom("json", "string"), value: text }, { noNullPrototype: true }),
    overrides: fc.array(
      fc.record({ contextName: text, values: fc.array(text, { maxLength: 3 }) }, { noNullPrototype: true }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ["weight"], noNullPrototype: true },
);
const variant = fc.tuple(variantName, nameless).map(([name, rest]) => ({ name, ...rest }));

const index = fc.constantFrom("0", "0", "0", "1", "1", "2", "3", "-", "01", "length", "9999999999");
const member = fc.constantFrom("name", "weight", "weightType", "stickiness", "payload", "overrides");
const inside = fc.constantFrom("value", "type", "0", "-", "values", "contextName", "__proto__", "toString");

interface Document {
  /** What leads to a variant. */
  key: fc.Arbitrary<string>;
  one: fc.Arbitrary<object>;
  all: fc.Arbitrary<object>;
  /** An operation that adds a variant. */
  addition: fc.Arbitrary<object>;
}

function patchOf({ key, one, all, addition }: Document): fc.Arbitrary<object[]> {
  const pointer = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom("", "/", "//", "~2", "0", "/constructor/prototype") },
    { weight: 6, arbitrary: key.map((at) => formatPointer([at])) },
    { weight: 6, arbitrary: fc.tuple(key, member).map(formatPointer) },
    { weight: 2, arbitrary: fc.tuple(key, member, inside).map(formatPointer) },
    { weight: 1, arbitrary: fc.tuple(key, member, inside, inside, inside).map(formatPointer) },
  );
  const content = fc.oneof(
    { weight: 6, arbitrary: one },
    { weight: 2, arbitrary: all },
    { weight: 2, arbitrary: fc.oneof(text, fc.integer({ min: 0, max: 1000 })) },
    { weight: 1, arbitrary: value },
  );
  const op = fc.constantFrom("add", "remove", "replace", "replace", "copy", "move", "test");
  const members = { op, path: pointer, from: pointer, value: content };
  const operation = fc.oneof(
    { weight: 3, arbitrary: addition },
    { weight: 5, arbitrary: fc.record(members, { noNullPrototype: true }) },
  );
  return fc.array(operation, { maxLength: 6 });
}

const patch = patchOf({
  key: index,
  one: variant,
  all: fc.array(variant, { maxLength: 4 }),
  addition: variant.map((added) => ({ op: "add", path: "/-", value: added })),
});
const patchByName = patchOf({
  key: fc.oneof({ weight: 9, arbitrary: variantName }, { weight: 1, arbitrary: index }),
  one: nameless,
  all: fc.dictionary(variantName, nameless, { maxKeys: 4, noNullPrototype: true }),
  addition: fc
    .tuple(variantName, nameless)
    .map(([name, added]) => ({ op: "add", path: formatPointer([name]), value: added })),
});

const kinds = { tags: update, variants: patch, "variants by name": patchByName };

export type BodyKind = keyof typeof kinds;

export type Body = string | Uint8Array;

/** Mostly the body of a tag update, or of a patch. */
export function bodyFor(kind: BodyKind): fc.Arbitrary<Body> {
  const right: fc.Arbitrary<object> = kinds[kind];
  const other: fc.Arbitrary<object> = kind === "variants" ? update : patch;
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
