/** JSON Schema and Zod agree: what the document calls valid is what the service takes, and the other way around. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { patchSchema } from "../../../lib/contract/patch.ts";
import { updateTagsSchema } from "../../../lib/contract/tags.ts";
import { variantSchema } from "../../../lib/contract/variants.ts";
import { faultsBy } from "../../support/document.ts";

/** Lengths around the bounds, in characters of one and of two UTF-16 units. */
const edges = fc
  .tuple(fc.constantFrom("a", "é", "🚩", "~", "/"), fc.constantFrom(0, 1, 2, 49, 50, 51, 99, 100, 101))
  .map(([character, length]) => character.repeat(length));
const text = fc.oneof(edges, fc.string({ unit: "grapheme" }), fc.constantFrom(".", "..", "a.b", "__proto_"));

const path = fc.oneof(fc.constantFrom("", "/", "/0", "a", "/~", "/~0~1", "/~2"), text);
const op = fc.constantFrom("add", "remove", "replace", "copy", "move", "test");

const updates = fc.record({ value: text, type: text }).map((tag) => ({ addedTags: [tag], removedTags: [] }));
const operations = fc.record({ op, path, from: path, value: fc.jsonValue() }, { requiredKeys: [] });
const variants = fc
  .record({ name: text, weight: fc.constantFrom(-1, 0, 0.5, 1, 999, 1000, 1001, 1e21) })
  .map((variant) => ({ ...variant, weightType: "fix", stickiness: "default" }));

const isValid = (name: Parameters<typeof faultsBy>[0], value: unknown) => faultsBy(name, value).length === 0;

it.each([
  ["the length of a tag", "updateTagsSchema", updateTagsSchema, updates],
  ["what a JSON Pointer is, and which members an operation needs", "patchSchema", patchSchema, operations],
  ["the name and the weight of a variant", "variantSchema", variantSchema, variants],
] as const)("the document and the contract agree on %s", (_, name, contract, values) => {
  const agree = fc.property<[unknown]>(values, (value) => {
    expect(isValid(name, value)).toBe(contract.safeParse(value).success);
  });

  fc.assert(agree);
});

it.each([0, 100, 101])("a list of %i tags is valid up to 100", (length) => {
  const update = { addedTags: Array(length).fill({ value: "aa", type: "bb" }), removedTags: [] };

  expect(isValid("updateTagsSchema", update)).toBe(length <= 100);
});

it.each([1000, 1001])("a patch of %i operations is valid up to 1000", (length) => {
  const patch = Array(length).fill({ op: "remove", path: "/0" });

  expect(isValid("patchesSchema", patch)).toBe(length <= 1000);
});
