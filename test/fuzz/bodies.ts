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

/** The body of a tag update, or of a patch. */
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
