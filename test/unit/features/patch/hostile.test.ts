/** Patches that are made to take long: none takes more than 50 ms, or 200 ms if it moves as much as a patch may. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../lib/contract/json.ts";
import type { PatchOperation } from "../../../../lib/contract/patch.ts";
import { milliseconds } from "../../../support/cost.ts";
import { add, copy, move, patched, refusal, remove, replace, times } from "../../../support/patching.ts";

const tooMuch = /the operations add more than 1 MiB in total$/;
const tooDeep = /the patched value would be nested deeper than 32 levels$/;

const large = times(5_000, () => ({ a: { b: { c: [] } } }));
const thousand = (make: (index: number) => PatchOperation) => times(1000, make);
const copies = thousand(() => copy("/0", "/-"));
const long = "/a".repeat(5_000);
const deep = times(5_000, () => 0).reduce<Json>((inner) => [inner], []);

describe("a patch takes little time", () => {
  it.each<[string, Json, PatchOperation[], RegExp | undefined]>([
    ["that doubles a list", ["x".repeat(1000)], times(30, () => copy("", "/-")), tooMuch],
    ["that doubles the depth of a list", [[]], times(30, () => copy("", "/0/0")), tooDeep],
    ["of a thousand copies", [{ name: "a" }], copies, undefined],
    ["of a thousand copies, too many", ["x".repeat(1100)], copies, tooMuch],
    ["of long paths in a list", [], times(25, () => add(long, 1)), /"a" is not an index of a list$/],
    ["of long paths in an object", {}, times(25, () => copy(long, long)), /there is no member "a"$/],
    // This patch ends the process of Unleash.
    ["that moves a list to its own end", [1, 2, 3], [move("", "/-")], /a value cannot be moved into itself$/],
    ["that adds a value nested 5,000 deep", [], [add("/-", deep)], tooDeep],
    ["that makes a value nested 5,000 deep the list", [], [add("", deep)], tooDeep],
  ])("%s", (_, tree, patch, refused) => expectSmall(tree, patch, refused));

  it.each<[string, Json, (index: number) => PatchOperation]>([
    ["copying and removing", [large], (index) => (index % 2 ? remove("/1") : copy("/0", "/1"))],
    ["moving", [large, 0], () => move("/0", "/1")],
    ["replacing by itself", { large }, () => copy("/large", "/large")],
    ["replacing, with the whole list,", [large], () => replace("", [large])],
  ])("by %s 150 KB a thousand times", (_, tree, make) => expectSmall(tree, thousand(make), tooMuch, 200));

  it("with a thousand copies, which are all made, or refused at the first that does not fit", () => {
    expect(patched([{ name: "a" }], ...copies)).toHaveLength(1001);
    expect(refusal(["x".repeat(1100)], ...copies)).toMatch(/^operation 953 /);
    expect(refusal([], add(long, 1)).length).toBeLessThan(250);
  });
});

function expectSmall(tree: Json, patch: PatchOperation[], refused?: RegExp, most = 50): void {
  const run = () => (refused ? refusal(tree, ...patch) : patched(tree, ...patch));
  if (refused) expect(run()).toMatch(refused);

  expect(milliseconds(run, most)).toBeLessThanOrEqual(most);
}
