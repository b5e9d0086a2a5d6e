/** What a store never does in the tests that have a database. */
import { expect, it, vi } from "vitest";
import { InternalError, TemporarilyUnavailable } from "../../../lib/contract/errors.ts";
import { type ChangeRequest, previewFeature } from "../../../lib/features/change-feature.ts";
import { planPatch } from "../../../lib/features/plan-patch.ts";
import type { VariantReader } from "../../../lib/features/stores.ts";
import { add } from "../../support/patching.ts";
import { environmentState } from "../../support/seed.ts";

const earlier = { id: "1", by: "ci", revision: 1, at: "2026-01-01T00:00:00.000Z" };
const request: ChangeRequest = {
  target: { project: "p", feature: "f" },
  planner: () => planPatch([add("/-", { name: "red", weight: 1 })], "index"),
  stamp: { id: "1", by: "admin", at: "2026-01-01T00:00:00Z", request: "1" },
  caller: { name: "admin", permits: [{ permission: "ADMIN" }] },
  allOrNothing: false,
};

/** Previews a request whose store does this when it is asked for room for the variants. */
async function preview(
  requireRoomForVariants: () => void,
  changed: Partial<ChangeRequest> = {},
  stored = {},
): Promise<void> {
  const reader: VariantReader = {
    readEnvironments: async () => [environmentState(stored)],
    requireRoomForVariants,
  };
  await previewFeature(reader, { ...request, ...changed }, { strict: false });
}

it.each([new InternalError("why"), new TemporarilyUnavailable("why"), new TypeError("why")])(
  "a dry run in which something fails that the caller did not cause fails with it, and reports no outcome: %s",
  async (error) => {
    const fail = () => {
      throw error;
    };

    await expect(preview(fail)).rejects.toMatchObject({ message: expect.stringMatching(/why|Internal/) });
  },
);

it.each([
  ["of an environment that it would patch", {}, {}, 1],
  ["not of one that it would leave unchanged", { planner: () => planPatch([], "index") }, {}, 0],
  ["not of one that an earlier attempt has patched", {}, { changes: [earlier] }, 0],
])("a dry run asks whether there is room for the variants %s", async (_, changed, stored, times) => {
  const requireRoom = vi.fn();

  await preview(requireRoom, changed, stored);

  expect(requireRoom).toHaveBeenCalledTimes(times);
});
