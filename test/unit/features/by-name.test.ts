/** Patches by name on features whose environments have diverged: each means the same variant everywhere. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ApiError } from "../../../lib/contract/errors.ts";
import type { Patch } from "../../../lib/contract/patch.ts";
import type { Variant, VariantForm } from "../../../lib/contract/variants.ts";
import { planEnvironment } from "../../../lib/features/patch-environment.ts";
import { fromDocument } from "../../../lib/features/variant-list.ts";

const names = ["amber", "blue", "green", "0", "~x"];
/** Every environment has the variant that is patched, among others that differ from one environment to the next. */
const target = "m-target";

const others = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 4 });
const stickiness = fc.constantFrom("default", "userId", "sessionId");
const environment = fc
  .tuple(others, stickiness)
  .map(([before, sticky]) =>
    fromDocument(
      [...before, target].map((name) => ({ name, weight: 0, stickiness: sticky })) as never,
      "index",
    ),
  );
const feature = fc.array(environment, { minLength: 2, maxLength: 4 });

function plan(variants: Variant[], patch: Patch, form: VariantForm): Variant[] | undefined {
  const state = {
    environment: "e",
    uid: "u",
    revision: 1,
    variants,
    memory: undefined,
    served: 0,
    lastTicket: 0,
  };
  try {
    return planEnvironment(state, { patch, form }).variants;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
}

/** The same change by hand, as the list of an environment. */
const byHand = (variants: readonly Variant[], change: (variant: Variant) => Variant[]): Variant[] => {
  const list = variants.flatMap((variant) => (variant.name === target ? change(variant) : [variant]));
  const sorted = list.toSorted((left, right) => left.name.localeCompare(right.name, "en"));
  return fromDocument(sorted as never, "index");
};

const changes: [string, Patch, (variant: Variant) => Variant[]][] = [
  [
    "replaces a member",
    [{ op: "replace", path: `/${target}/stickiness`, value: "changed" }],
    (variant) => [{ ...variant, stickiness: "changed" }],
  ],
  [
    "fixes a weight",
    [
      { op: "replace", path: `/${target}/weightType`, value: "fix" },
      { op: "replace", path: `/${target}/weight`, value: 100 },
      { op: "add", path: "/z-rest", value: { weight: 0 } },
    ],
    (variant) => [
      { ...variant, weightType: "fix", weight: 100 },
      { name: "z-rest", weight: 0, weightType: "variable", stickiness: "default" },
    ],
  ],
  [
    "renames",
    [{ op: "move", from: `/${target}`, path: "/a-renamed" }],
    (variant) => [{ ...variant, name: "a-renamed" }],
  ],
  [
    "clones",
    [{ op: "copy", from: `/${target}`, path: "/z-copy" }],
    (variant) => [variant, { ...variant, name: "z-copy" }],
  ],
  ["removes", [{ op: "remove", path: `/${target}` }], () => []],
];

it.each(changes)(
  "a patch by name that %s succeeds in every environment, and leaves what the change by hand would",
  (_, patch, change) => {
    fc.assert(
      fc.property(feature, (environments) => {
        for (const variants of environments) {
          expect(plan(variants, patch, "name")).toEqual(byHand(variants, change));
        }
      }),
      { numRuns: 1000 },
    );
  },
);

it("the same patch by index, written for the first environment, fails or changes another variant in most features", () => {
  let wrong = 0;
  const features = fc.sample(feature, { numRuns: 2000, seed: 1 });
  for (const environments of features) {
    const index = environments[0]?.findIndex(({ name }) => name === target) ?? -1;
    const patch: Patch = [{ op: "replace", path: `/${index}/stickiness`, value: "changed" }];
    const isRight = environments.every((variants) => {
      const changed = plan(variants, patch, "index")?.filter((variant) => variant.stickiness === "changed");
      return changed?.length === 1 && changed[0]?.name === target;
    });
    if (!isRight) wrong++;
  }

  expect(wrong / features.length).toBeGreaterThan(0.5);
});
