/** The difference between two states of an environment, as a JSON Patch of it. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "../../../../lib/contract/json.ts";
import type { Patch } from "../../../../lib/contract/patch.ts";
import type { Variant } from "../../../../lib/contract/variants.ts";
import type { EnvironmentContent } from "../../../../lib/features/model.ts";
import { applyPatch } from "../../../../lib/features/patch/apply-patch.ts";
import { contentDifference } from "../../../../lib/features/patch/differences.ts";
import { toTree } from "../../../../lib/features/patch/environment-tree.ts";
import { planPatch } from "../../../../lib/features/patch/plan-patch.ts";
import { normaliseStrategies } from "../../../../lib/features/patch/strategies-by-id.ts";
import { normaliseVariants, withoutName } from "../../../../lib/features/patch/variant-list.ts";
import { add, remove, replace, replaced } from "../../../support/patching.ts";
import { itProp } from "../../../support/property.ts";
import { variant } from "../../../support/seed.ts";

const amber = variant("amber");
const blue = variant("blue");
const green = variant("green");
const payload = { type: "string", value: "~/" };
const nameless = withoutName(blue);

const contentWith = (variants: Variant[]): EnvironmentContent => ({
  enabled: true,
  variants,
  strategies: [],
  dependencies: [],
  targeting: null,
});

it.each<[string, Variant[], Variant[], Patch]>([
  ["none", [blue], [blue], []],
  [
    "another order",
    [blue, green],
    [green, blue],
    [replace("/variants", { green: withoutName(green), blue: withoutName(blue) })],
  ],
  ["one added", [amber, green], [amber, blue, green], [add("/variants/blue", nameless)]],
  ["one removed", [amber, blue], [amber], [remove("/variants/blue")]],
  ["one renamed", [amber], [blue], [remove("/variants/amber"), add("/variants/blue", nameless)]],
  [
    "a member replaced",
    [blue],
    [{ ...blue, weight: 1 }],
    [replaced("/variants/blue/weight", 1, blue.weight)],
  ],
  ["a member added", [blue], [{ ...blue, payload }], [add("/variants/blue/payload", payload)]],
  ["a member removed", [{ ...blue, payload }], [blue], [remove("/variants/blue/payload")]],
])("the difference of two lists of variants is in terms of variants: %s", (_, before, after, difference) => {
  expect(contentDifference(contentWith(before), contentWith(after))).toEqual(difference);
});

const split = (...names: string[]) => [
  {
    id: "gradual",
    name: "flexibleRollout",
    sortOrder: 1,
    parameters: {},
    constraints: [],
    variants: names.map((name) => variant(name)),
  },
];

it("the difference of a strategy names the parameter that changed", () => {
  const content = (rollout: string) => {
    const parameters = { rollout, groupId: "a/b" };
    return { ...contentWith([]), strategies: split().map((one) => ({ ...one, parameters })) };
  };

  expect(contentDifference(content("10"), content("25"))).toEqual([
    replaced("/strategies/gradual/parameters/rollout", "25", "10"),
  ]);
});

it.each<[string, string[], string[], string]>([
  ["another order", ["b", "a"], ["a", "b"], "replace /strategies/gradual/variants"],
  ["a new one at the end", ["b"], ["b", "a"], "add /strategies/gradual/variants/a"],
  ["a new one elsewhere", ["b"], ["a", "b"], "replace /strategies/gradual/variants"],
])("the difference of a strategy's variants shows their order: %s", (_, before, after, difference) => {
  const content = (names: string[]) => ({ ...contentWith([]), strategies: split(...names) });
  const shown = contentDifference(content(before), content(after)).map(({ op, path }) => `${op} ${path}`);
  expect(shown).toEqual([difference]);
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
  "the difference leads from the one tree by name to the other, whatever they are",
  (before, after) => {
    const [from, to] = [before, after].map((one) => contentWith(one as Variant[]));
    const difference = contentDifference(from as EnvironmentContent, to as EnvironmentContent);

    const tree = toTree(from as EnvironmentContent) as unknown as Json;
    expect(applyPatch(tree, difference as Patch).patched).toEqual(toTree(to as EnvironmentContent));
  },
);

const sharing = fc.record(
  {
    // As "01" is no index of a list, an object keeps its place.
    name: fc.constantFrom("a", "b", "c", "d", "01"),
    weight: fc.integer({ min: 0, max: 300 }),
    weightType: fc.constantFrom("variable" as const, "variable" as const, "fix" as const),
    stickiness: fc.constantFrom("default", "userId"),
  },
  { noNullPrototype: true },
);
/** In any order, as a patch by index has it; one is variable. */
const sharingList = fc
  .uniqueArray(sharing, { selector: ({ name }) => name, maxLength: 3 })
  .map((some) => [...some, ...split("e", "f").flatMap(({ variants }) => variants)]);

const patchedContent = fc.record({ variants: sharingList, split: sharingList }).map((drawn) => ({
  ...contentWith(normaliseVariants(drawn.variants)),
  strategies: normaliseStrategies(
    split().map((strategy) => ({ ...strategy, name: "default", variants: drawn.split })),
    [],
  ),
}));

itProp([patchedContent, patchedContent], { numRuns: 500 })(
  "a patch of an environment with the difference leads to exactly what it shows, whatever patches have stored",
  (before, after) => {
    const patch = contentDifference(before, after) as Patch;

    const { hint: _, ...plan } = planPatch({ kind: "patch", root: "environment", patch }, before);
    expect(plan).toEqual(after);
  },
);
