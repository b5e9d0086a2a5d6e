import { describe, expect, it } from "vitest";
import { limits } from "../../../../lib/contract/limits.ts";
import type { PatchOperation } from "../../../../lib/contract/patch.ts";
import type { Json } from "../../../../lib/features/json-patch/json.ts";
import { add, copy, move, patched, refusal, replace, times } from "../../../support/patching.ts";

const variants = times(390, () => "x".repeat(1000));
const eighths = times(8, () => replace("/0", "x".repeat(limits.patchBytes / 8)));

describe("the depth of the patched variants", () => {
  const list = (levels: number): Json => (levels === 0 ? [] : [list(levels - 1)]);

  it.each([
    [list(31), []],
    [list(15), [add(`${"/0".repeat(15)}/-`, list(15))]],
  ])("may be 32 levels: %j", (document, patch) => {
    expect(patched(document, ...patch)).toEqual(list(31));
  });

  it.each<[Json, PatchOperation]>([
    [list(31), add(`${"/0".repeat(31)}/-`, [])],
    [list(15), add(`${"/0".repeat(15)}/-`, list(16))],
    [list(16), copy("", `${"/0".repeat(16)}/-`)],
  ])("may not be more: %j", (document, operation) => {
    expect(refusal(document, operation)).toMatch(/: the variants would be nested deeper than 32 levels$/);
  });
});

describe("the work of a patch", () => {
  it.each([
    ["replace everything at once", [replace("", variants)]],
    ["reverse the list", variants.map((_, index) => move(`/${index}`, "/0"))],
    ["move the list to its place a thousand times", times(1000, () => move("", ""))],
  ])("is enough to %s", (_, patch) => {
    expect(patched(variants, ...patch)).toHaveLength(390);
  });

  it("is 1 MiB in total, and no more", () => {
    expect(patched([1], ...eighths)).toHaveLength(1);
    expect(refusal([1], ...eighths, replace("/0", "x"))).toBe(
      "operation 8 (replace /0): the patch moves more than 1 MiB in total",
    );
  });
});
