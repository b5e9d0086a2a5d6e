/** Finds when a change was written last, and which write is the newest: a retry may write days after the first attempt. */
import type { ListedChange, ListedEnvironmentChange } from "../../../lib/contract/responses/changes.ts";

interface WrittenChange {
  /** The time of the first attempt. */
  at: string;
  environments: readonly { writtenAt: string }[];
}

/** Returns the time at which the change was written last. */
export function lastWriteOf({ at, environments }: WrittenChange): string {
  const times = environments.map(({ writtenAt }) => writtenAt);
  return times.sort().at(-1) ?? at;
}

/** A change, with the time of its write in one environment. */
export interface Write {
  change: ListedChange;
  writtenAt: string;
}

/** Returns the newest of the writes that are meant. The list is sorted by the newest write in any environment. */
export function findNewestWrite(
  changes: readonly ListedChange[],
  isMeant: (write: ListedEnvironmentChange) => boolean,
): Write | undefined {
  const writes = changes.flatMap((change) =>
    change.environments.filter(isMeant).map(({ writtenAt }): Write => ({ change, writtenAt })),
  );
  return writes.sort((left, right) => right.writtenAt.localeCompare(left.writtenAt))[0];
}
