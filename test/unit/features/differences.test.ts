/** The difference between two lists of variants, as a JSON Patch by name. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Patch } from "../../../lib/contract/patch.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { variantDifference } from "../../../lib/features/differences.ts";
import { applyPatch } from "../../../lib/features/json-patch/apply.ts";
import { toForm } from "../../../lib/features/variant-form.ts";
import { add, remove, replace } from "../../support/patching.ts";
import { itProp } from "../../support/property.ts";
import { variant } from "../../support/seed.ts";

const amber = variant("amber");
const blue = variant("blue");
const green = variant("green");
const payload = { type: "string", value: "~/" };
const { name: _, ...nameless } = blue;

it.each<[string, Variant[], Variant[], Patch]>([
  ["none", [blue], [blue], []],
  ["another order", [blue, green], [green, blue], []],
  ["one added", [amber, green], [amber, blue, green], [add("/blue", nameless)]],
  ["one removed", [amber, blue], [amber], [remove("/blue")]],
  ["one renamed", [amber], [blue], [remove("/amber"), add("/blue", nameless)]],
  ["a member replaced", [blue], [{ ...blue, weight: 1 }], [replace("/blue/weight", 1)]],
  ["a member added", [blue], [{ ...blue, payload }], [add("/blue/payload", payload)]],
  ["a member removed", [{ ...blue, payload }], [blue], [remove("/blue/payload")]],
])("the changes of a list of variants are in terms of variants: %s", (_, before, after, changes) => {
  expect(variantDifference(before, after)).toEqual(changes);
});

const values = fc.array(fc.constantFrom("1", "2"));
const anyVariant = fc.record(
  {
    name: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    weight: fc.integer({ min: 0, max: 3 }),
    weightType: fc.constantFrom("variable" as const, "fix" as const),
    stickiness: fc.constantFrom("default", "~/", "userId"),
    payload: fc.record({ type: fc.constantFrom("string", "json"), value: fc.constantFrom("{}", "[]") }),
    overrides: fc.array(fc.record({ contextName: fc.constant("userId"), values }), { maxLength: 2 }),
  },
  { requiredKeys: ["name", "weight", "weightType", "stickiness"], noNullPrototype: true },
);
const list = fc.uniqueArray(anyVariant, { selector: ({ name }) => name, maxLength: 6 });

itProp([list, list], { numRuns: 1000 })(
  "the changes lead from the one document by name to the other, whatever they are",
  (before, after) => {
    const changes = variantDifference(before as Variant[], after as Variant[]);

    const [from, to] = [before, after].map((one) => toForm(one as Variant[], "name"));
    expect(applyPatch(from ?? null, changes as Patch)).toEqual(to);
  },
);
