/** Converts the failure of a feature's conditional write to an error for the operator. */
import { ConflictError, ValidationError } from "../../lib/contract/errors.ts";
import { isConditionFailure, isItemTooLarge } from "../../lib/store/failures.ts";

export async function orConflict(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (isItemTooLarge(error)) throw new ValidationError("its tags would not fit in a stored item");
    if (!isConditionFailure(error)) throw error;
    throw concurrentChange();
  }
}

export function concurrentChange(): ConflictError {
  return new ConflictError("it was changed concurrently; run the command again");
}
