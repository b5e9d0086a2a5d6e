/** Patches made to exhaust: none may take 50 ms, or where it moves all that a patch may move 200, nor 50 MB. */
import { describe, expect, it } from "vitest";
import type { PatchOperation } from "../../../../lib/contract/patch.ts";
import type { Json } from "../../../../lib/features/json-patch/json.ts";
import { megabytes, milliseconds } from "../../../support/cost.ts";
import { add, copy, move, patched, refusal, remove, replace, times } from "../../../support/patching.ts";

const tooLarge = /the variants would be larger than a stored item \(400 KB\)$/;
const tooMuch = /the patch moves more than 1 MB in total$/;
const tooDeep = /the variants would be nested deeper than 32 levels$/;

/** 150 KB, each made of something else. */
const values: [string, Json][] = [
  ["one string", "x".repeat(150_000)],
  ["nulls", times(75_000, () => null)],
  ["empty objects", times(37_000, () => ({}))],
  ["small objects", times(5_000, () => ({ a: { b: { c: [] } } }))],
];

describe("a patch that doubles a list", () => {
  const doubling = times(30, () => copy("", "/-"));

  it("is refused before the list is larger than an item can be", () => {
    expect(refusal(["x".repeat(1000)], ...doubling)).toMatch(tooLarge);
  });

  it("is refused before the list nests deeper than a body may", () => {
    expect(refusal([[]], ...times(30, () => copy("", "/0/0")))).toMatch(tooDeep);
  });

  it("takes little time and memory", () => expectSmall(["x"], doubling, tooLarge));
});

describe("a patch of a thousand copies", () => {
  const copies = times(1000, () => copy("/0", "/-"));

  it("is applied where what it makes fits, and takes little time and memory", () => {
    expect(patched([{ name: "a" }], ...copies)).toHaveLength(1001);
    expectSmall([{ name: "a" }], copies);
  });

  it("is refused at the first copy that does not, and takes little time and memory", () => {
    expect(refusal(["x".repeat(1000)], ...copies)).toMatch(/^operation 408 /);
    expectSmall(["x".repeat(1000)], copies, tooLarge);
  });
});

describe("a patch that moves a value of 150 KB to and fro", () => {
  it.each(values)("by copying and removing it, takes little time and memory: %s", (_, value) => {
    expectSmall(
      [value],
      times(1000, (index) => (index % 2 ? remove("/1") : copy("/0", "/1"))),
      tooMuch,
      200,
    );
  });

  it.each(values)("by moving it, takes little time and memory: %s", (_, value) => {
    expectSmall(
      [value, 0],
      times(1000, () => move("/0", "/1")),
      tooMuch,
      200,
    );
  });

  it.each(values)("by replacing it with itself, takes little time and memory: %s", (_, value) => {
    expectSmall(
      { value },
      times(1000, () => copy("/value", "/value")),
      tooMuch,
      200,
    );
  });

  it.each(values)("by putting it in the whole list's place, takes little time and memory: %s", (_, value) => {
    expectSmall(
      [value],
      times(1000, () => replace("", [value])),
      tooMuch,
      200,
    );
  });
});

describe("a patch of long paths", () => {
  const long = "/a".repeat(5_000);

  it("is refused with a short message, and takes little time and memory", () => {
    expect(refusal([], add(long, 1)).length).toBeLessThan(250);
    expectSmall(
      [],
      times(25, () => add(long, 1)),
      /"a" is not an index of a list$/,
    );
    expectSmall(
      {},
      times(25, () => copy(long, long)),
      /there is no member "a"$/,
    );
  });
});

describe("a move of the whole list to its own end, which ends the process of Unleash", () => {
  it("is refused, and takes little time and memory", () => {
    expectSmall([1, 2, 3], [move("", "/-")], /a value cannot be moved into itself$/);
  });
});

describe("a value nested 5,000 deep", () => {
  const deep = times(5_000, () => 0).reduce<Json>((inner) => [inner], []);

  it("is refused wherever a patch puts it, and takes little time and memory", () => {
    expectSmall([], [add("/-", deep)], tooDeep);
    expectSmall([0], [replace("/0", deep)], tooDeep);
    expectSmall([], [add("", deep)], tooDeep);
  });
});

function expectSmall(document: Json, patch: PatchOperation[], refused?: RegExp, most = 50): void {
  const run = () => (refused ? refusal(document, ...patch) : patched(document, ...patch));
  if (refused) expect(run()).toMatch(refused);

  expect(milliseconds(run)).toBeLessThan(most);
  expect(megabytes(run)).toBeLessThan(50);
}
