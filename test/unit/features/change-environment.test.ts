/** How the change of one environment continues after a write conflict, on a store that replays what other requests did. */
import { describe, expect, it, vi } from "vitest";
import { ConflictError, NotFoundError, PreconditionFailed } from "../../../lib/contract/errors.ts";
import { changeEnvironment, type EnvironmentChange } from "../../../lib/features/change-environment.ts";
import type { EnvironmentState } from "../../../lib/features/feature.ts";
import { planPatch } from "../../../lib/features/patch-feature.ts";
import type { VariantsWrite, WriteResult } from "../../../lib/features/stores.ts";
import { replace } from "../../support/patching.ts";
import { environmentState, variant } from "../../support/seed.ts";

const idempotency = { key: "key", change: "change" };
const earlierWrite = { ...idempotency, revision: 1, at: "2026-01-01T00:00:00.000Z" };
const request: EnvironmentChange = {
  target: { project: "p", feature: "f" },
  plan: planPatch([replace("/0/stickiness", "userId")], "index")([]).plan,
  stamp: { id: "1", by: "admin", at: "2026-01-01T00:00:00Z", request: "1" },
};

/** Patches an environment whose writes conflict with these states in turn, before one succeeds. */
async function patch(before: EnvironmentState, conflicts: (EnvironmentState | undefined)[], changed = {}) {
  const seen: EnvironmentState[] = [];
  const turns = {
    begin: vi.fn(async (current: EnvironmentState) => ({ current })),
    retry: vi.fn(async (_: object, current: EnvironmentState) => ({ current })),
    giveUp: async () => {},
  };
  const store = {
    async writeVariants({ before, variants }: VariantsWrite): Promise<WriteResult> {
      seen.push(before);
      if (conflicts.length > 0) return { written: false, current: conflicts.shift() };
      return { written: true, stored: { ...before, variants, revision: before.revision + 1 } };
    },
  };
  const patched = await changeEnvironment(store, turns, { ...request, ...changed }, before);
  return { patched, seen, begun: turns.begin.mock.calls.length, retries: turns.retry.mock.calls.length };
}

describe("after a write conflict the patch", () => {
  it.each([
    [
      "is applied to the latest state",
      environmentState(),
      environmentState({ revision: 7, variants: [variant("red")] }),
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
    ["it was deleted and created again", environmentState({ uid: "b" }), {}, NotFoundError],
    [
      "the ETag of If-Match is no longer current",
      environmentState({ revision: 2 }),
      { precondition: ["e"] },
      PreconditionFailed,
    ],
    ["it was deleted, and the request has an ETag", undefined, { precondition: ["e"] }, PreconditionFailed],
    [
      "another request has used the idempotency key",
      environmentState({ earlierWrite: { ...earlierWrite, change: "another" } }),
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
