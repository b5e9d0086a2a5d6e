/** How the patch of one environment continues after a write conflict, on a store that replays what other requests did. */
import { describe, expect, it, vi } from "vitest";
import { ConflictError, NotFoundError, PreconditionFailed } from "../../../lib/contract/errors.ts";
import type { EnvironmentState } from "../../../lib/features/feature.ts";
import { type EnvironmentPatch, patchEnvironment } from "../../../lib/features/patch-environment.ts";
import type { VariantsWrite, WriteResult } from "../../../lib/features/stores.ts";
import type { Turn } from "../../../lib/features/turns.ts";
import { replace } from "../../support/patching.ts";
import { environmentState, variant } from "../../support/seed.ts";

const idempotency = { key: "key", request: "request" };
const earlierWrite = { ...idempotency, revision: 1, writtenAt: 0 };
const request: EnvironmentPatch = {
  target: { project: "p", feature: "f" },
  patch: [replace("/0/stickiness", "userId")],
  form: "index",
  stamp: { id: "1", by: "admin", at: "2026-01-01T00:00:00Z", request: "1" },
};

/** Patches an environment whose writes conflict with these states in turn, before one succeeds. */
async function patch(before: EnvironmentState, conflicts: (EnvironmentState | undefined)[], changed = {}) {
  const seen: EnvironmentState[] = [];
  const turns = {
    begin: vi.fn(async () => ({ current: before })),
    retry: vi.fn(async (_: Turn, current: EnvironmentState) => ({ current })),
    giveUp: async () => {},
  };
  const store = {
    async writeVariants({ before, variants }: VariantsWrite): Promise<WriteResult> {
      seen.push(before);
      if (conflicts.length > 0) return { written: false, current: conflicts.shift() };
      return { written: true, stored: { ...before, variants, revision: before.revision + 1 } };
    },
  };
  const patched = await patchEnvironment(store, turns, { ...request, ...changed }, before);
  return { patched, seen, begun: turns.begin.mock.calls.length, retries: turns.retry.mock.calls.length };
}

describe("after a write conflict the patch", () => {
  it.each([
    [
      "is applied to the latest state",
      environmentState(),
      environmentState({ revision: 7, variants: [variant("red")] }),
    ],
    [
      "goes on in an environment that had no uid before",
      environmentState({ uid: undefined }),
      environmentState({ revision: 2, uidSince: 2 }),
    ],
    [
      "goes on in an environment that was read with its first uid",
      environmentState({ revision: 2, uidSince: 2 }),
      environmentState({ revision: 3, uidSince: 2 }),
    ],
  ])("%s", async (_, before, latest) => {
    const { patched, seen } = await patch(before, [latest]);

    expect(patched.variants).toEqual([{ ...latest.variants[0], stickiness: "userId" }]);
    expect(seen).toEqual([before, latest]);
  });

  it("succeeds without a retry, if the conflicting write was an earlier attempt of the request", async () => {
    const latest = environmentState({ revision: 2, variants: [variant("red")], earlierWrite });

    const { patched, seen, retries } = await patch(environmentState(), [latest], { idempotency });

    expect(patched).toMatchObject({ outcome: "patched", variants: latest.variants });
    expect({ writes: seen.length, retries }).toEqual({ writes: 1, retries: 0 });
  });

  it.each([
    ["the environment was deleted", undefined, {}, NotFoundError],
    ["it was deleted and created again, or moved", environmentState({ uid: "b" }), {}, NotFoundError],
    [
      "the ETag of If-Match is no longer current",
      environmentState({ revision: 2 }),
      { precondition: ["e"] },
      PreconditionFailed,
    ],
    ["it was deleted, and the request has an ETag", undefined, { precondition: ["e"] }, PreconditionFailed],
    [
      "another request has used the idempotency key",
      environmentState({ earlierWrite: { ...earlierWrite, request: "another" } }),
      { idempotency },
      ConflictError,
    ],
    [
      "an environment that was created again has the write of an earlier attempt",
      environmentState({ uid: "b", earlierWrite }),
      { idempotency },
      NotFoundError,
    ],
  ])("is refused if %s", async (_, latest, changed, error) => {
    await expect(patch(environmentState(), [latest], changed)).rejects.toThrow(error);
  });

  it("is refused if the environment had no uid, and was created again", async () => {
    const before = environmentState({ uid: undefined });
    await expect(patch(before, [environmentState({ revision: 2 })])).rejects.toThrow(NotFoundError);
  });

  it("is applied to the latest state with If-Match: *", async () => {
    expect(
      (await patch(environmentState(), [environmentState({ revision: 2 })], { precondition: "*" })).seen,
    ).toHaveLength(2);
  });
});

describe("a patch does not wait for its turn", () => {
  it.each([
    ["with an ETag", environmentState(), { precondition: ["e"] }, 1],
    ["that an earlier attempt has made", environmentState({ earlierWrite }), { idempotency }, 0],
  ])("%s", async (_, before, changed, writes) => {
    const { begun, seen } = await patch(before, [], changed);

    expect({ begun, writes: seen.length }).toEqual({ begun: 0, writes });
  });

  it("unless it has to be made", async () => {
    expect(await patch(environmentState(), [])).toMatchObject({ begun: 1, seen: [environmentState()] });
  });
});
