/** The way back restores the variants before a change exactly: members, weights and order. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { restore, wayBack } from "../../../lib/features/variant-diff.ts";
import { normalisable } from "../../support/arbitraries.ts";
import { itProp } from "../../support/property.ts";
import { variant } from "../../support/seed.ts";

const shuffled = normalisable.chain((list) =>
  fc.shuffledSubarray(list, { minLength: 0, maxLength: list.length }),
);

itProp([shuffled, shuffled])("any list is restored from any other", (before, after) => {
  expect(restore(after, wayBack(after, before))).toEqual(before);
});

const payload = { type: "string", value: "long enough that the whole list would be longer" };
const [blue, red] = [variant("blue", { payload }), variant("red", { payload })];

describe("of a list that is sorted by name it has what differs", () => {
  it.each([
    ["a member that was replaced", [{ ...blue, weight: 10 }, red], [["/blue/weight", 1000]]],
    ["a member that was added", [{ ...blue, overrides: [] }, red], [["/blue/overrides"]]],
    ["a member that was removed", [variant("blue"), red], [["/blue/payload", payload]]],
    ["a variant that was added", [blue, variant("green"), red], [["/green"]]],
    ["a variant that was removed", [blue], [["/red", { ...red, name: undefined }]]],
  ])("%s", (_, after, steps) => {
    expect(wayBack(after, [blue, red])).toEqual(steps);
  });
});

it("of a list in another order it has the whole list", () => {
  expect(wayBack([blue, red], [red, blue])).toEqual([["", [red, blue]]]);
});

it("of a list whose differences are longer it has the whole list", () => {
  const before = [variant("a")];
  const after = ["b", "c", "d", "e"].map((name) => variant(name.repeat(50)));
  expect(wayBack(after, before)).toEqual([["", before]]);
});

it("a variant named __proto__ is restored", () => {
  const [before, after] = [[variant("__proto__"), red], [red]];
  expect(restore(after, wayBack(after, before))).toEqual(before);
});
