/** What a store never does in the tests that have a database. */
import { expect, it, vi } from "vitest";
import { InternalError, TemporarilyUnavailable } from "../../../lib/contract/errors.ts";
import type { ChangeRequest } from "../../../lib/features/change-feature.ts";
import { planPatch } from "../../../lib/features/patch-feature.ts";
import { previewChange } from "../../../lib/features/preview-change.ts";
import { add } from "../../support/patching.ts";
import { environmentState } from "../../support/seed.ts";

const idempotency = { key: "key", change: "change" };
const earlierWrite = { ...idempotency, revision: 1, at: "2026-01-01T00:00:00.000Z" };
const request: ChangeRequest = {
  target: { project: "p", feature: "f" },
  planner: planPatch([add("/-", { name: "red", weight: 1 })], "index"),
  form: "index",
  stamp: { id: "1", by: "admin", at: "2026-01-01T00:00:00Z", request: "1" },
  caller: { name: "admin", permits: [{ permission: "ADMIN" }] },
  permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
};

/** Previews a request whose store does this when it is asked for room for the variants. */
async function preview(
  requireRoomForVariants: () => void,
  changed: Partial<ChangeRequest> = {},
  stored = {},
) {
  const feature = { name: "f", project: "p", environments: [environmentState(stored)] };
  const store = { readFeature: async () => feature, requireRoomForVariants };
  await previewChange(store, { ...request, ...changed }, { strict: false });
}

it.each([new InternalError("why"), new TemporarilyUnavailable("why"), new TypeError("why")])(
  "a dry run in which something fails that the caller did not cause fails with it, and reports no outcome: %s",
  async (error) => {
    const fail = () => {
      throw error;
    };

    await expect(preview(fail)).rejects.toBe(error);
  },
);

it.each([
  ["of an environment that it would patch", {}, {}, 1],
  ["not of one that it would leave unchanged", { planner: planPatch([], "index") }, {}, 0],
  ["not of one that an earlier attempt has patched", { idempotency }, { earlierWrite }, 0],
])("a dry run asks whether there is room for the variants %s", async (_, changed, stored, times) => {
  const requireRoom = vi.fn();

  await preview(requireRoom, changed, stored);

  expect(requireRoom).toHaveBeenCalledTimes(times);
});
