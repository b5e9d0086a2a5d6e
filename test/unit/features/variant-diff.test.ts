/** The difference between two lists of variants, and the way back. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Patch } from "../../../lib/contract/patch.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { applyPatch } from "../../../lib/features/json-patch/apply.ts";
import type { Json } from "../../../lib/features/json-patch/json.ts";
import { restore, variantChanges, wayBack } from "../../../lib/features/variant-diff.ts";
import { add, move, remove, replace } from "../../support/patching.ts";
import { itProp } from "../../support/property.ts";
import { variant } from "../../support/seed.ts";

const amber = variant("amber");
const blue = variant("blue");
const green = variant("green");
const red = variant("red");
const payload = { type: "string", value: "~/" };
const full = { ...green, payload };

it.each<[string, Variant[], Variant[], Patch]>([
  ["none", [blue], [blue], []],
  ["one added in the middle", [amber, green], [amber, blue, green], [add("/1", { ...blue })]],
  ["one removed in the middle", [amber, blue, green], [amber, green], [remove("/1")]],
  ["the last ones removed", [amber, blue, green], [amber], [remove("/2"), remove("/1")]],
  ["one moved", [blue, green, amber], [amber, blue, green], [move("/2", "/0")]],
  ["one renamed", [amber, blue], [amber, red], [remove("/1"), add("/1", { ...red })]],
  ["a member of one", [amber, blue], [amber, { ...blue, weight: 1 }], [replace("/1/weight", 1)]],
  ["sorted, and a new member", [green, amber], [amber, full], [move("/1", "/0"), add("/1/payload", payload)]],
])("the changes of a list of variants are in terms of variants: %s", (_, before, after, changes) => {
  expect(variantChanges(before, after, "index")).toEqual(changes);
});

describe("the way back has", () => {
  const long = { type: "string", value: "long enough that the whole list would be longer" };
  const [first, last] = [variant("blue", { payload: long }), variant("red", { payload: long })];

  it.each<[string, Variant[], Variant[], unknown]>([
    ["a member that was replaced", [{ ...first, weight: 10 }, last], [first, last], [["/blue/weight", 1000]]],
    ["a member that was added", [{ ...first, overrides: [] }, last], [first, last], [["/blue/overrides"]]],
    ["a member that was removed", [blue, last], [first, last], [["/blue/payload", long]]],
    ["a variant that was added", [first, green, last], [first, last], [["/green"]]],
    ["a variant that was removed", [first], [first, last], [["/red", { ...last, name: undefined }]]],
    ["a variant that was first", [last], [first, last], [["/blue", { ...first, name: undefined }]]],
    ["the whole of a list in another order", [first, last], [last, first], [["", [last, first]]]],
    ["the whole of a list that is shorter than the differences", [first, last], [amber], [["", [amber]]]],
  ])("%s", (_, after, before, steps) => {
    expect(wayBack(after, before)).toEqual(steps);
  });

  it("a variant named __proto__", () => {
    const before = [variant("__proto__"), last];
    expect(restore([last], wayBack([last], before))).toEqual(before);
  });
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
  "the changes lead from the one list to the other, and the way back restores it, whatever they are",
  (before, after) => {
    const changes = variantChanges(before as Variant[], after as Variant[], "index");

    expect(applyPatch(before as Json, changes as Patch)).toEqual(after);
    expect(restore(after as Variant[], wayBack(after as Variant[], before as Variant[]))).toEqual(before);
  },
);
