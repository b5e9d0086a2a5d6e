/** A conditional write of a feature that says in plain words why it was not done. */
import { ConflictError, ValidationError } from "../../lib/contract/errors.ts";
import { isConditionFailure, isItemTooLarge } from "../../lib/store/failures.ts";

export async function orConflict(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (isItemTooLarge(error)) throw new ValidationError("its tags would not fit in a stored item");
    if (!isConditionFailure(error)) throw error;
    throw new ConflictError("somebody else changed it meanwhile; run the command again");
  }
}
