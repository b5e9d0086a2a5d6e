/**
 * What becomes of a request in each environment. The API reports the kinds by the same names, except two: `pending` as
 * "would patch", and `overtaken` as "failed".
 */
import type { ApiError } from "../../contract/errors.ts";
import type { EnvironmentChange, EnvironmentState, EnvironmentWithChanges } from "../model.ts";
import type { Moves } from "../moves/moves.ts";

interface OutcomeFacts {
  /** The state that was read. */
  before: EnvironmentState;
  /** The state after this attempt's write. Without a write, or if the write was found after a conflict, it is `before`. */
  after: EnvironmentState;
  hint?: string | undefined;
  /**
   * The users to whom the request gives something else: none where it is `unchanged`. Undefined if they are not known.
   */
  moves?: Moves | undefined;
  /** The request's change, where it was found after a conflict: this attempt may have made it, or a parallel one. */
  ownChange?: EnvironmentChange;
}

declare const isWritable: unique symbol;

/** A state that may be written: the changes that the write drops are items already. Only a store makes one. */
export type WritableState = EnvironmentState & { readonly [isWritable]: true };

/** A write that is still to be made. A dry run ends with this outcome. */
interface PendingOutcome extends OutcomeFacts {
  kind: "pending";
}

interface WrittenOutcome extends OutcomeFacts {
  /**
   * `patched`: this attempt has written, or a parallel one since this attempt read. `already patched`: the own change
   * was there when this attempt read.
   */
  kind: "patched" | "already patched";
}

interface UnwrittenOutcome extends OutcomeFacts {
  kind: "unchanged" | "not attempted";
}

/**
 * `overtaken`: If-Match lists the ETag that was read, and a concurrent request has changed or deleted the environment
 * by now. The API calls it failed too, unless `changeFeature` starts over.
 */
interface FailedOutcome extends OutcomeFacts {
  kind: "failed" | "overtaken";
  error: ApiError;
}

/** How a request has ended in an environment. */
export type EndedOutcome = WrittenOutcome | UnwrittenOutcome | FailedOutcome;

export type Outcome = PendingOutcome | EndedOutcome;

/** An outcome that may be written: `prepareWrites` has made items of the changes that a pending write drops. */
export type PreparedOutcome = (PendingOutcome & { before: WritableState }) | EndedOutcome;

/** Makes the outcome of an environment whose state is stored: after a write, or without one. */
export function storedOutcome(
  state: EnvironmentState,
  kind: (WrittenOutcome | UnwrittenOutcome)["kind"],
  { hint, moves }: Pick<OutcomeFacts, "hint" | "moves"> = {},
): WrittenOutcome | UnwrittenOutcome {
  return { kind, before: state, after: state, hint, moves };
}

export function failedWith(
  state: EnvironmentState,
  error: ApiError,
  kind: FailedOutcome["kind"] = "failed",
): FailedOutcome {
  return { kind, before: state, after: state, error };
}

export function isFailure(outcome: Outcome): outcome is FailedOutcome {
  return outcome.kind === "failed" || outcome.kind === "overtaken";
}

/** Whether the request's change is stored in some environment. */
export function isStoredSomewhere(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ kind }) => kind === "patched" || kind === "already patched");
}

/** Makes the outcome of an environment before anything is done. */
export function initialOutcome({ state, ownChange }: EnvironmentWithChanges): EndedOutcome {
  return storedOutcome(state, ownChange ? "already patched" : "not attempted");
}
