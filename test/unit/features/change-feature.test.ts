/** What a store never does in the tests that have a database. */
import { describe, expect, it, vi } from "vitest";
import { InternalError, TemporarilyUnavailable } from "../../../lib/contract/errors.ts";
import { planPatch } from "../../../lib/features/patch-feature.ts";
import { previewChange } from "../../../lib/features/preview-change.ts";
import type { VariantReader } from "../../../lib/features/stores.ts";
import { add } from "../../support/patching.ts";
import { environmentState } from "../../support/seed.ts";

const request = {
  target: { project: "p", feature: "f" },
  planner: planPatch([add("/-", { name: "red", weight: 1 })], "index"),
  form: "index" as const,
  stamp: { id: "1", by: "admin", at: "2026-01-01T00:00:00Z", request: "1" },
  caller: { name: "admin", permits: [{ permission: "ADMIN" as const }] },
  permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS" as const,
};

it.each([new InternalError("why"), new TemporarilyUnavailable("why"), new TypeError("why")])(
  "a dry run in which something fails that the caller did not cause fails with it, and reports no outcome: %s",
  async (error) => {
    const store: VariantReader = {
      readFeature: async () => ({ name: "f", project: "p", environments: [environmentState()] }),
      requireRoomForVariants() {
        throw error;
      },
    };

    await expect(previewChange(store, request, { strict: false })).rejects.toBe(error);
  },
);

describe("a dry run asks whether there is room for the variants", () => {
  const idempotency = { key: "key", change: "change" };
  const earlierWrite = { ...idempotency, revision: 1, at: "2026-01-01T00:00:00.000Z" };

  it.each([
    ["of an environment that it would patch", {}, {}, 1],
    ["not of one that it would leave unchanged", {}, { planner: planPatch([], "index") }, 0],
    ["not of one that an earlier attempt has patched", { earlierWrite }, { idempotency }, 0],
  ])("%s", async (_, stored, changed, times) => {
    const requireRoomForVariants = vi.fn();
    const feature = { name: "f", project: "p", environments: [environmentState(stored)] };
    const store = { readFeature: async () => feature, requireRoomForVariants };

    await previewChange(store, { ...request, ...changed }, { strict: false });

    expect(requireRoomForVariants).toHaveBeenCalledTimes(times);
  });
});
