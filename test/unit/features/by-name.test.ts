/** Patches by name on features whose environments have diverged: each means the same variant everywhere. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ApiError } from "../../../lib/contract/errors.ts";
import type { Patch } from "../../../lib/contract/patch.ts";
import type { Variant, VariantForm } from "../../../lib/contract/variants.ts";
import type { Json } from "../../../lib/features/json-patch/json.ts";
import { patchOperation } from "../../../lib/features/patch-feature.ts";
import { normalise, parseDocument } from "../../../lib/features/variant-list.ts";
import { add, copy, move, remove, replace } from "../../support/patching.ts";
import { itProp } from "../../support/property.ts";
import { environmentState, variant } from "../../support/seed.ts";

/** Every environment has the variant that is patched, among others that differ from one environment to the next. */
const target = "m-target";
const at = `/${target}`;

const others = fc.uniqueArray(fc.constantFrom("amber", "blue", "green", "0", "~x"), { maxLength: 4 });
const environment = fc
  .tuple(others, fc.constantFrom("default", "userId", "sessionId"))
  .map(([before, stickiness]) =>
    normalised([...before, target].map((name) => ({ name, weight: 0, stickiness }))),
  );
const feature = fc.array(environment, { minLength: 2, maxLength: 4 });

function normalised(variants: object[]): Variant[] {
  return normalise(parseDocument(variants as Json, "index"));
}

function plan(variants: Variant[], patch: Patch, form: VariantForm): Variant[] | undefined {
  try {
    return patchOperation(patch, form).planFor([])(environmentState({ variants })).variants;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
}

/** The same change by hand, as the list of an environment. */
function byHand(variants: readonly Variant[], change: (variant: Variant) => Variant[]): Variant[] {
  const list = variants.flatMap((variant) => (variant.name === target ? change(variant) : [variant]));
  return normalised(list.toSorted((left, right) => left.name.localeCompare(right.name, "en")));
}

const changes: [string, Patch, (variant: Variant) => Variant[]][] = [
  ["replaces a member", [replace(`${at}/stickiness`, "x")], (one) => [{ ...one, stickiness: "x" }]],
  [
    "fixes a weight",
    [replace(`${at}/weightType`, "fix"), replace(`${at}/weight`, 100), add("/z-rest", { weight: 0 })],
    (one) => [{ ...one, weightType: "fix", weight: 100 }, variant("z-rest", { weight: 0 })],
  ],
  ["renames", [move(at, "/a-renamed")], (one) => [{ ...one, name: "a-renamed" }]],
  ["clones", [copy(at, "/z-copy")], (one) => [one, { ...one, name: "z-copy" }]],
  ["removes", [remove(at)], () => []],
];

for (const [what, patch, change] of changes) {
  itProp([feature], { numRuns: 1000 })(
    `a patch by name that ${what} succeeds in every environment, and leaves what the change by hand would`,
    (environments) => {
      for (const variants of environments)
        expect(plan(variants, patch, "name")).toEqual(byHand(variants, change));
    },
  );
}

it("the same patch by index, written for the first environment, fails or changes another variant in most features", () => {
  const features = fc.sample(feature, { numRuns: 2000, seed: 1 });

  const wrong = features.filter((environments) => {
    const index = environments[0]?.findIndex(({ name }) => name === target) ?? -1;
    return !environments.every((variants) => {
      const patched = plan(variants, [replace(`/${index}/stickiness`, "changed")], "index");
      const changed = patched?.filter(({ stickiness }) => stickiness === "changed");
      return changed?.length === 1 && changed[0]?.name === target;
    });
  });

  expect(wrong.length / features.length).toBeGreaterThan(0.5);
});
