/**
 * Handles a write conflict, on tags or on an environment: finds the request's own write, or the state to plan again on.
 */
import { NotFoundError, rethrowAsUnknownOutcome } from "../../contract/errors.ts";
import type { Conflict } from "../stores.ts";
import { type Backoff, pause } from "./backoff.ts";

export interface ConflictContext<State, Write> {
  backoff: Backoff;
  /** How messages call the feature or the environment. */
  subject: string;
  read(): Promise<State | undefined>;
  /**
   * Finds the request's write. It may be stored although its response was lost, and although DynamoDB refused it: if a
   * proxy sent the write twice, the refusal may be that of the second copy.
   */
  findOwnWrite(before: State, stored: State): Promise<Write | undefined>;
}

export type AfterConflict<State, Write> =
  /** The request's own write is stored, by this attempt or a parallel one, and the state includes it. */
  | { kind: "own write"; state: State; write: Write }
  /**
   * The write is not stored. No copy of it can be stored later: revisions only grow, so its condition never holds
   * again. The state is undefined if the feature or the environment was deleted during the pause.
   */
  | { kind: "plan again"; state: State | undefined };

/**
 * Throws if the feature or the environment was deleted before the look-up: the write may have been stored before that.
 */
export async function handleConflict<State extends { uid: string }, Write>(
  { backoff, subject, read, findOwnWrite }: ConflictContext<State, Write>,
  before: State,
  conflict: Conflict<State>,
): Promise<AfterConflict<State, Write>> {
  const stored = stateOfSameUid(conflict.stored ?? (await read().catch(rethrowAsUnknownOutcome)), before);
  if (!stored) throw deletedWithUnknownOutcome(subject);
  const write = await findOwnWrite(before, stored);
  if (write !== undefined) return { kind: "own write", state: stored, write };
  // The pause lets the requests that conflict proceed. After a lost response the request does not pause, because it has
  // most often waited for a timeout already.
  const pausedNow = !conflict.mayBeStored && (await pause(backoff));
  return { kind: "plan again", state: pausedNow ? stateOfSameUid(await read(), before) : stored };
}

/** Returns undefined if the feature or the environment was deleted, or created again with another uid. */
export function stateOfSameUid<State extends { uid: string }>(
  state: State | undefined,
  { uid }: State,
): State | undefined {
  return state?.uid === uid ? state : undefined;
}

/** The outcome is unknown also where DynamoDB refused the write, which `findOwnWrite` explains. */
function deletedWithUnknownOutcome(subject: string): NotFoundError {
  return new NotFoundError(
    `${subject} was deleted meanwhile; it is not known whether the write was stored before`,
    { code: "outcome-unknown" },
  );
}
