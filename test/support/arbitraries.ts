/** Arbitraries of the property tests. */
import fc from "fast-check";
import type { Json } from "../../lib/contract/json.ts";
import { forbiddenMembers } from "../../lib/contract/json.ts";
import type { Tag } from "../../lib/contract/tags.ts";
import type { Variant } from "../../lib/contract/variants.ts";

/** Names that look like something else: an index, the end of a list, an inherited property, an escape. */
const trickyMembers = [
  "",
  "-",
  "0",
  "1",
  "01",
  "length",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "a/b",
  "~1",
];

export const member: fc.Arbitrary<string> = fc
  .oneof(
    fc.constantFrom("a", "b", "c"),
    fc.constantFrom(...trickyMembers),
    fc.string({ unit: "grapheme", maxLength: 4 }),
  )
  .filter((name) => !forbiddenMembers.has(name));

/** JSON has neither NaN nor infinity, and writes a negative zero as 0. */
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);

const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), number, fc.string({ unit: "grapheme", maxLength: 8 })),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(member, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Any JSON value, mostly a list or an object. */
export const tree: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: json, weight: 1 },
  { arbitrary: fc.array(json, { minLength: 1, maxLength: 5 }), weight: 3 },
  { arbitrary: fc.dictionary(member, json, { minKeys: 1, maxKeys: 5, noNullPrototype: true }), weight: 3 },
);

export const value: fc.Arbitrary<Json> = json;

/** Of one or two UTF-16 units. For `unit: "binary"`, each process would first list all of them, which takes a second. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));

/** Well-formed text. */
export const wellFormed = (options: fc.StringConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...options, unit: character });

const label = fc.oneof(
  fc.constantFrom("team", "simple", "a1", "b2", "zz"),
  wellFormed({ minLength: 2, maxLength: 4 }),
);

export const tag: fc.Arbitrary<Tag> = fc.record({ type: label, value: label }, { noNullPrototype: true });

const variantName = fc.string({ unit: fc.constantFrom(..."abAB01_-.!~*'()"), minLength: 3, maxLength: 5 });

/** A list that can be normalised: unique names, a variable variant, and fix weights of 1000 at most. */
export const normalisable: fc.Arbitrary<Variant[]> = fc
  .uniqueArray(variantName, { minLength: 1, maxLength: 20 })
  .chain((names) => {
    const most = Math.floor(1000 / names.length);
    const variants = names.map((name) =>
      fc.record<Variant>(
        {
          name: fc.constant(name),
          weight: fc.integer({ min: 0, max: most }),
          weightType: fc.constantFrom("variable", "fix"),
          stickiness: fc.constantFrom("default", "userId"),
        },
        { noNullPrototype: true },
      ),
    );
    return fc.tuple(...variants);
  })
  .filter((variants) => variants.some(({ weightType }) => weightType === "variable"));
