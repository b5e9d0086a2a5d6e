/** What follows a refused write, of tags as of an environment: it was stored after all, or is planned again. */
import { NotFoundError, orUnknownOutcome } from "../contract/errors.ts";
import type { Backoff } from "./backoff.ts";
import type { Conflict } from "./stores.ts";

export interface Rewriting<State, OwnWrite> {
  backoff: Backoff;
  /** What messages call the feature or the environment. */
  subject: string;
  read(): Promise<State | undefined>;
  /** Looks for the write itself: its response may be lost, or a proxy may have sent it twice and returned the refusal. */
  findOwnWrite(before: State, stored: State): Promise<OwnWrite | undefined>;
}

/**
 * No copy of the write can be stored any more: revisions only grow, so its condition can never hold again. `fresh` is the
 * state to plan for; it is undefined if that was deleted, or created again, during a pause.
 */
export async function afterConflict<State extends { uid: string }, OwnWrite>(
  { backoff, subject, read, findOwnWrite }: Rewriting<State, OwnWrite>,
  before: State,
  { current, responseWasLost }: Conflict<State>,
): Promise<{ ownWrite?: OwnWrite | undefined; fresh?: State | undefined }> {
  const stored = ifSame(current ?? (await orUnknownOutcome(read())), before);
  if (!stored) throw deletedAfterWrite(subject);
  const ownWrite = await findOwnWrite(before, stored);
  if (ownWrite) return { ownWrite };
  // During a pause the request that caused the conflict can proceed. After a lost response there may be no such request.
  const hasPaused = !responseWasLost && (await backoff.pause());
  return { fresh: hasPaused ? ifSame(await read(), before) : stored };
}

/** Undefined if the feature or the environment was deleted, or created again. */
export function ifSame<State extends { uid: string }>(
  state: State | undefined,
  { uid }: State,
): State | undefined {
  return state?.uid === uid ? state : undefined;
}

/** Also after a refusal: a proxy may have sent the write twice, and the first copy may have been stored. */
function deletedAfterWrite(subject: string): NotFoundError {
  return new NotFoundError(
    `${subject} was deleted in the meantime; it is not known whether the write was stored before`,
    { mayBeStored: true },
  );
}
