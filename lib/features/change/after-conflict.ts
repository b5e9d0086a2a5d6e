/** Handles a write conflict, on tags or on an environment: finds the request's own write, or what to plan again from. */
import { NotFoundError, orUnknownOutcome } from "../../contract/errors.ts";
import type { Conflict } from "../stores.ts";
import type { Backoff } from "./backoff.ts";

export interface ConflictHandling<State, OwnWrite> {
  backoff: Backoff;
  /** What messages call the feature or the environment. */
  subject: string;
  read(): Promise<State | undefined>;
  /** Looks for the write: its response may be lost, or a proxy may have sent it twice and returned the refusal. */
  findOwnWrite(before: State, stored: State): Promise<OwnWrite | undefined>;
}

/**
 * Returns the request's own write, if it is stored. Otherwise returns the state to plan from; undefined if the feature or the
 * environment was deleted during a pause. Throws if it was deleted before: the write may have been stored then.
 *
 * No copy of the write can be stored any more: revisions only grow, so its condition can never hold again.
 */
export async function afterConflict<State extends { uid: string }, OwnWrite>(
  { backoff, subject, read, findOwnWrite }: ConflictHandling<State, OwnWrite>,
  before: State,
  { current, responseWasLost }: Conflict<State>,
): Promise<{ ownWrite: OwnWrite } | { ownWrite?: undefined; next: State | undefined }> {
  const stored = unlessRecreated(current ?? (await orUnknownOutcome(read())), before);
  if (!stored) throw deletedAfterWrite(subject);
  const ownWrite = await findOwnWrite(before, stored);
  if (ownWrite) return { ownWrite };
  // During a pause the requests that met can proceed. After a lost response there is none: most often the attempt has waited for its timeout.
  const hasPaused = !responseWasLost && (await backoff.pause());
  return { next: hasPaused ? unlessRecreated(await read(), before) : stored };
}

/** Undefined if the feature or the environment was deleted, or created again. */
export function unlessRecreated<State extends { uid: string }>(
  state: State | undefined,
  { uid }: State,
): State | undefined {
  return state?.uid === uid ? state : undefined;
}

/** The error after a refusal too: a proxy may have sent the write twice, and the first copy may have been stored. */
function deletedAfterWrite(subject: string): NotFoundError {
  return new NotFoundError(
    `${subject} was deleted in the meantime; it is not known whether the write was stored before`,
    { code: "outcome-unknown", mayBeStored: true },
  );
}
