/** The hint of a patch: a weight that it sets without effect, or that it moves without setting it. */
import { expect, it } from "vitest";
import type { PatchOperation } from "../../../lib/contract/patch.ts";
import { planPatch } from "../../../lib/features/plan-patch.ts";
import { add, move, replace } from "../../support/patching.ts";
import { environmentState, variant } from "../../support/seed.ts";

const { name: _, ...fixed } = variant("red", { weightType: "fix", weight: 250 });
const alone = [variant("blue")];
const uneven = [variant("blue", { weight: 300 }), variant("red", { weight: 700 })];
const short = [variant("blue", { weight: 5 }), variant("red", { weight: 5 })];
const beside = [variant("blue", { weight: 250 }), variant("red", { weight: 750, weightType: "fix" })];

it.each<[string, typeof alone, PatchOperation[], RegExp | undefined]>([
  [
    "the weight of one that was there",
    alone,
    [replace("/blue/weight", 250)],
    /^The weight 250 of variant "blue" has no effect: .* set weightType to fix/,
  ],
  [
    "a new one with a weight",
    alone,
    [add("/red", { weight: 250 })],
    /^The weight 250 of variant "red" has no effect/,
  ],
  ["a new one of weight 0", alone, [add("/red", { weight: 0 })], undefined],
  ["a fix one", alone, [add("/red", fixed)], undefined],
  ["a new name", alone, [move("/blue", "/azure")], undefined],
  ["the weight that it gets", alone, [replace("/blue/weight", 1000)], undefined],
  ["the weight that fix ones leave", beside, [replace("/blue/weight", 250)], undefined],
  ["another field", alone, [replace("/blue/stickiness", "userId")], undefined],
  [
    "another field of weights that were not shared evenly",
    uneven,
    [replace("/blue/stickiness", "userId")],
    /^The weight of variant "blue" goes from 300 to 500: .* set weightType to fix/,
  ],
  [
    "another field of weights that did not sum to 1000",
    short,
    [replace("/blue/stickiness", "userId")],
    /^The weight of variant "blue" goes from 5 to 500/,
  ],
  ["nothing, where weights were not shared evenly", uneven, [], undefined],
])("a patch that sets %s", (_, variants, patch, expected) => {
  const { hint } = planPatch(patch, "name")(environmentState({ variants }));

  expect(hint).toEqual(expected && expect.stringMatching(expected));
});
