/** JSON Schema and Zod agree: what the document calls valid is what the service takes, and the other way around. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchSchema } from "../../../lib/contract/patch.ts";
import { updateTagsSchema } from "../../../lib/contract/tags.ts";
import { variantSchema } from "../../../lib/contract/variants.ts";
import { faultsBy } from "../../support/document.ts";

/** Lengths around the bounds, in characters of one and of two UTF-16 units. */
const edges = fc
  .tuple(fc.constantFrom("a", "é", "🚩", "~", "/"), fc.constantFrom(0, 1, 2, 49, 50, 51, 99, 100, 101))
  .map(([character, length]) => character.repeat(length));
const text = fc.oneof(edges, fc.string({ unit: "grapheme" }), fc.constantFrom(".", "..", "a.b", "__proto_"));

describe("the document and the contract agree", () => {
  it("on the length of a tag", () => {
    fc.assert(
      fc.property(text, text, (value, type) => {
        const update = { addedTags: [{ value, type }], removedTags: [] };
        expect(faultsBy("updateTagsSchema", update).length === 0).toBe(
          updateTagsSchema.safeParse(update).success,
        );
      }),
    );
  });

  it.each([0, 100, 101])("on %i tags in a list", (length) => {
    const update = { addedTags: Array(length).fill({ value: "aa", type: "bb" }), removedTags: [] };

    expect(faultsBy("updateTagsSchema", update).length === 0).toBe(length <= 100);
  });

  it("on what a JSON Pointer is, and which members an operation needs", () => {
    const pointer = fc.oneof(fc.constantFrom("", "/", "/0", "a", "/~", "/~0~1", "/~2"), text);
    const operation = fc.record(
      {
        op: fc.constantFrom("add", "remove", "replace", "copy", "move", "test"),
        path: pointer,
        from: pointer,
        value: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(operation, (given) => {
        expect(faultsBy("patchSchema", given).length === 0).toBe(patchSchema.safeParse(given).success);
      }),
    );
  });

  it.each([1000, 1001])("on %i operations in a patch", (length) => {
    const patch = Array(length).fill({ op: "remove", path: "/0" });

    expect(faultsBy("patchesSchema", patch).length === 0).toBe(length <= 1000);
  });

  it("on the name and the weight of a variant", () => {
    const weight = fc.constantFrom(-1, 0, 0.5, 1, 999, 1000, 1001, 1e21);
    fc.assert(
      fc.property(text, weight, (name, weight) => {
        const variant = { name, weight, weightType: "fix", stickiness: "default" };
        expect(faultsBy("variantSchema", variant).length === 0).toBe(
          variantSchema.safeParse(variant).success,
        );
      }),
    );
  });
});
