/** The total of which the page takes the weights as shares. */
import { expect, it } from "vitest";
import type { Variants } from "../../../../infra/clients/page/requests/shown.ts";
import { totalAfter, totalOf } from "../../../../infra/clients/page/words/weights.ts";

const variantsOf = (weights: Record<string, number>): Variants =>
  Object.fromEntries(
    Object.entries(weights).map(([name, weight]) => [
      name,
      { weight, weightType: "variable", stickiness: "default" },
    ]),
  );
const odd = variantsOf({ blue: 8, red: 7 });
const halves = variantsOf({ blue: 500, red: 500 });

it("is the sum of weights that are stored", () => {
  expect([odd, halves].map(totalOf)).toEqual([15, 1000]);
});

it.each([
  ["a draft that leaves them as they are", odd, odd, false, 15],
  ["a patch, which the API has normalised", odd, halves, false, 1000],
  ["a patch that the API has not normalised yet", odd, variantsOf({ blue: 200, red: 7 }), false, 1000],
  ["a patch that removes a variant", odd, variantsOf({ blue: 8 }), false, 1000],
  ["an undo that restores others", halves, odd, true, 15],
])("after %s", (_, before, after, isUndo, total) => {
  expect(totalAfter(before, after, isUndo)).toBe(total);
});

it("is not 0 where each weight is", () => {
  const none = variantsOf({ blue: 0, red: 0 });

  expect([totalOf(none), totalAfter(none, none, false)]).toEqual([1000, 1000]);
});
