/** The hint of a patch: a weight without effect or moved without being set, or a variant that it replaces. */
import { expect, it } from "vitest";
import type { PatchOperation } from "../../../../lib/contract/patch.ts";
import { planPatch } from "../../../../lib/features/patch/plan-patch.ts";
import { add, copy, move, replace } from "../../../support/patching.ts";
import { environmentState, variant } from "../../../support/seed.ts";

const { name: _, ...fixed } = variant("red", { weightType: "fix", weight: 250 });
const alone = [variant("blue")];
const uneven = [variant("blue", { weight: 300 }), variant("red", { weight: 700 })];
const short = [variant("blue", { weight: 5 }), variant("red", { weight: 5 })];
const thirds = ["amber", "blue", "green"].map((name, index) => variant(name, { weight: index ? 333 : 334 }));
const beside = [variant("blue", { weight: 250 }), variant("red", { weight: 750, weightType: "fix" })];
const allFix = uneven.map((one) => ({ ...one, weightType: "fix" as const }));
const toVariable = replace("/red/weightType", "variable");

const lost = (weight: number, name: string) => `The weight ${weight} of variant "${name}" has no effect: `;
const moved = (weight: number, to = 500) => `The weight of variant "blue" goes from ${weight} to ${to}: `;
const stick = replace("/blue/stickiness", "userId");

it.each<[string, typeof alone, PatchOperation[], string | undefined]>([
  ["the weight of one that was there", alone, [replace("/blue/weight", 250)], lost(250, "blue")],
  ["a new one with a weight", alone, [add("/red", { weight: 250 })], lost(250, "red")],
  ["a new one of weight 0", alone, [add("/red", { weight: 0 })], undefined],
  ["a fix one", alone, [add("/red", fixed)], undefined],
  ["a new name", alone, [move("/blue", "/azure")], undefined],
  ["the weight that it gets", alone, [replace("/blue/weight", 1000)], undefined],
  ["the weight that fix ones leave", beside, [replace("/blue/weight", 250)], undefined],
  ["another field", alone, [stick], undefined],
  ["another field, by add", alone, [add("/blue/stickiness", "userId")], undefined],
  ["another field of weights that were not shared evenly", uneven, [stick], moved(300)],
  ["another field of weights that did not sum to 1000", short, [stick], moved(5)],
  ["a new one beside uneven ones", uneven, [add("/amber", { weight: 0 })], moved(300, 333)],
  ["a new one beside some that differ by one", thirds, [add("/red", { weight: 0 })], undefined],
  ["a new one beside a fix one", beside, [add("/green", { weight: 0 })], undefined],
  [
    "variable weights, where all were fix",
    allFix,
    [replace("/blue/weightType", "variable"), toVariable],
    undefined,
  ],
  ["nothing, where weights were not shared evenly", uneven, [], undefined],
  ["a whole variant", alone, [replace("/blue", { weight: 0 })], lost(0, "blue")],
])(
  "a patch has a hint where a weight has no effect or moves, and no other: it sets %s",
  (_, variants, patch, expected) => {
    const { hint } = planPatch(
      { kind: "patch", root: "variants", patch, form: "name" },
      environmentState({ variants }),
    );

    expect(hint).toEqual(expected && expect.stringContaining(expected));
    expect(hint ?? "weightType to fix").toContain("weightType to fix");
  },
);

it.each([add("/red", { weight: 0, stickiness: "userId" }), copy("/blue", "/red"), move("/blue", "/red")])(
  "a patch that puts another variant in the place of one has a hint: %j",
  (operation) => {
    const { hint } = planPatch(
      { kind: "patch", root: "variants", patch: [operation], form: "name" },
      environmentState({ variants: uneven }),
    );

    expect(hint).toBe('The patch replaces the variant "red", which was there already');
  },
);

it("a patch that replaces what it has added itself has no hint", () => {
  const adding = add("/green", { weight: 0 });

  const patch = [adding, adding];

  expect(
    planPatch({ kind: "patch", root: "variants", patch, form: "name" }, environmentState()).hint,
  ).toBeUndefined();
});

it("a patch that replaces a field of a variant has no hint, where another variant has the field's name", () => {
  const variants = [variant("blue", { weight: 500 }), variant("stickiness", { weight: 500 })];

  expect(
    planPatch(
      { kind: "patch", root: "variants", patch: [add("/blue/stickiness", "userId")], form: "name" },
      environmentState({ variants }),
    ).hint,
  ).toBeUndefined();
});

it("a patch that replaces a member of targeting has no hint, where a variant has the member's name", () => {
  const targeting = JSON.stringify({ variants: { on: true }, defaultVariant: "on" });
  const state = environmentState({ variants: [variant("variants")], targeting });

  const patch = [add("/targeting/variants", { on: false })];

  expect(planPatch({ kind: "patch", root: "environment", patch }, state).hint).toBeUndefined();
});
