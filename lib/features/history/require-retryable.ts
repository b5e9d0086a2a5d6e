/** Refuses a retry whose change was undone, is too old, or is that of another request. */
import { ConflictError } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type { ChangeByEnvironment } from "../model.ts";
import { isTooOld, type Stamp } from "../stamp.ts";

export function requireRetryable(ownChanges: ChangeByEnvironment, stamp: Stamp): void {
  requireUsableKey(ownChanges, stamp);
  requireNotUndone(ownChanges, stamp);
}

/** Throws if the idempotency key was used by another request, or too long ago. */
function requireUsableKey(ownChanges: ChangeByEnvironment, { requestHash }: Stamp): void {
  for (const { change } of ownChanges.values()) {
    if (change.requestHash !== requestHash) {
      throw new ConflictError(
        "This Idempotency-Key was already used with a different method, path, query or body; use a new one",
        { code: "key-used" },
      );
    }
    if (isTooOld(change)) {
      throw new ConflictError(
        `This Idempotency-Key was first used more than ${limits.undoableDays} days ago; use a new one`,
        { code: "key-used", changeId: change.id },
      );
    }
  }
}

function requireNotUndone(ownChanges: ChangeByEnvironment, { requestHash }: Stamp): void {
  for (const [environment, { change, undoneBy }] of ownChanges) {
    if (undoneBy === undefined) continue;
    const advice = requestHash === undefined ? "" : " with a new Idempotency-Key";
    throw new ConflictError(
      `This request was undone in environment "${environment}" by the change ${undoneBy.id}; send it again${advice}`,
      { code: "undone", changeId: change.id, undoneBy: undoneBy.id },
    );
  }
}
