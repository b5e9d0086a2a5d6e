/** What a store never does in the tests that have a database. */
import { describe, expect, it } from "vitest";
import { InternalError, TemporarilyUnavailable } from "../../lib/contract/errors.ts";
import type { EnvironmentState, Feature } from "../../lib/features/feature.ts";
import type { FeatureStore } from "../../lib/features/feature-store.ts";
import { patchEnvironment } from "../../lib/features/patch-environment.ts";
import { previewPatch } from "../../lib/features/preview-patch.ts";
import { add } from "../support/patching.ts";
import { variant } from "../support/seed.ts";

const state: EnvironmentState = {
  environment: "production",
  variants: [variant("blue")],
  revision: 1,
  writes: [],
  keyed: [],
};
const feature: Feature = { name: "f", project: "p", environments: [state] };

function patchOn(writeVariants: FeatureStore["writeVariants"]) {
  return {
    store: { writeVariants, readFeature: async () => feature },
    target: { project: "p", feature: "f" },
    patch: [add("/-", { name: "red", weight: 1 })],
    stamp: { id: "1", by: "admin", at: "2026-01-01T00:00:00Z", request: "1" },
    patience: { pause: async () => true },
    caller: { name: "admin", permits: [{ permission: "ADMIN" as const }] },
  };
}

it("an environment that others change is tried again after a longer pause each time", async () => {
  const pauses: number[] = [];
  const patching = patchOn(async () =>
    pauses.length < 3 ? { done: false, current: state } : { done: true },
  );
  const patience = { pause: async (tries: number) => pauses.push(tries) > 0 };

  const { outcome } = await patchEnvironment({ ...patching, patience }, state);

  expect(outcome).toBe("patched");
  expect(pauses).toEqual([0, 1, 2]);
});

describe("a dry run in which something fails that is no fault of the caller's", () => {
  it.each([new InternalError("why"), new TemporarilyUnavailable("why"), new TypeError("why")])(
    "fails with it, and tells no outcome: %s",
    async (error) => {
      const patching = patchOn(() => Promise.reject(error));

      await expect(previewPatch(feature, patching)).rejects.toBe(error);
    },
  );
});
