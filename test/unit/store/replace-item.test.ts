import { expect, it } from "vitest";
import { ConflictError } from "../../../lib/contract/errors.ts";
import { ConcurrentChange, ignoreConflict, runRounds } from "../../../lib/store/replace-item.ts";

const clock = { sleep: async () => {}, remainingMs: () => 10_000 };
const refusal = new ConflictError('The feature "checkout" already exists', { code: "exists" });

it("another round follows a write conflict, and none a refusal", async () => {
  const thrown: Error[] = [refusal, new ConcurrentChange(), new ConcurrentChange()];
  const round = async () => {
    throw thrown.pop() ?? new Error("a round too many");
  };

  await expect(runRounds(clock, round)).rejects.toBe(refusal);
  expect(thrown).toEqual([]);
});

it("a refusal is not ignored as a write conflict is", () => {
  expect(() => ignoreConflict(new ConcurrentChange())).not.toThrow();
  expect(() => ignoreConflict(refusal)).toThrow(refusal);
});
