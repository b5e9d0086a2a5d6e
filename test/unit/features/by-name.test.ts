/** Patches by name on features whose environments have diverged: each means the same variant everywhere. */
import fc from "fast-check";
import { expect } from "vitest";
import type { Patch } from "../../../lib/contract/patch.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import type { Json } from "../../../lib/features/json-patch/json.ts";
import { planPatch } from "../../../lib/features/patch-feature.ts";
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
  itProp([feature], { numRuns: 200 })(
    `a patch by name that ${what} succeeds in every environment, and leaves what the change by hand would`,
    (environments) => {
      for (const variants of environments) {
        const plan = planPatch(patch, "name")([]).plan(environmentState({ variants }));
        expect(plan.variants).toEqual(byHand(variants, change));
      }
    },
  );
}
