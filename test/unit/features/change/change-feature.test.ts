/** Dry runs that meet an error which no test with a database can cause. */
import { expect, it } from "vitest";
import { InternalError, TemporarilyUnavailable } from "../../../../lib/contract/errors.ts";
import { previewChange } from "../../../../lib/features/change/change-feature.ts";
import type { EnvironmentReader } from "../../../../lib/features/stores.ts";
import { environmentState } from "../../../support/seed.ts";

const reader: EnvironmentReader = {
  readEnvironments: async () => [environmentState()],
  readChangeItems: async () => new Map(),
  readNewestChanges: async () => [],
};

it.each([new InternalError("why"), new TemporarilyUnavailable("why"), new TypeError("why")])(
  "a dry run fails with an error that the caller did not cause, and reports no outcome: %s",
  async (error) => {
    const preview = previewChange(reader, {
      target: { project: "p", feature: "f" },
      edit: {
        kind: "patch",
        root: "variants",
        patch: [{ op: "remove", path: "/blue" }],
        // Planning reads it first: the error stands for one that planning throws.
        get form(): never {
          throw error;
        },
      },
      stamp: { id: "1", by: "admin", at: "2026-01-01T00:00:00Z", requestId: "1" },
      caller: { name: "admin", permissions: [{ permission: "ADMIN" }] },
      preconditions: {},
      isStrict: false,
      mostMoves: undefined,
    });

    await expect(preview).rejects.toMatchObject({ message: expect.stringMatching(/why|Internal/) });
  },
);
