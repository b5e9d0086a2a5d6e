/** The engine against an independent model of RFC 6902. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ValidationError } from "../../../../lib/contract/errors.ts";
import type { Patch } from "../../../../lib/contract/patch.ts";
import { applyPatch } from "../../../../lib/features/json-patch/apply.ts";
import type { Json } from "../../../../lib/features/json-patch/json.ts";
import { patchCase } from "../../../support/patch-arbitraries.ts";
import { referencePatch } from "./reference.ts";

describe("any patch of any document", () => {
  it("comes to what RFC 6902 says, or fails at the operation that it says", () => {
    fc.assert(
      fc.property(patchCase, ({ target, patch }) => {
        expect(engine(structuredClone(target), structuredClone(patch))).toStrictEqual(
          referencePatch(target, patch),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it("is drawn so that many succeed and many fail, with every operation among those that succeed", () => {
    const sample = fc.sample(patchCase, { numRuns: 1000, seed: 1 }).filter(({ patch }) => patch.length > 0);

    const good = sample.filter(({ target, patch }) => "result" in referencePatch(target, patch));

    expect(good.length).toBeGreaterThan(200);
    expect(sample.length - good.length).toBeGreaterThan(200);
    expect(new Set(good.flatMap(({ patch }) => patch.map(({ op }) => op))).size).toBe(5);
  });
});

function engine(target: Json, patch: Patch): { result: Json } | { failedAt: number } {
  try {
    return { result: applyPatch(target, patch) };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { failedAt: Number(/^operation (\d+) /.exec(error.message)?.[1]) };
  }
}
