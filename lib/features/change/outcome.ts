/**
 * What becomes of a request in each environment. The API has these kinds too, but "would patch" for `pending`, and no
 * `overtaken`.
 */
import type { ApiError } from "../../contract/errors.ts";
import type { EnvironmentChange, EnvironmentState, TargetEnvironment } from "../model.ts";
import type { Moves } from "../moves/moves.ts";

interface OutcomeFacts {
  /** The state that was read, and in `after` the state that is to be stored, or is. They differ only if this attempt writes. */
  before: EnvironmentState;
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
interface PendingWrite extends OutcomeFacts {
  kind: "pending";
}

interface NotFailed extends OutcomeFacts {
  /**
   * `patched`: this attempt has written, or a parallel one since this attempt read. `already patched`: the own change
   * was there when this attempt read.
   */
  kind: "patched" | "already patched" | "unchanged" | "not attempted";
}

/**
 * `overtaken`: If-Match lists the ETag that was read, and a concurrent request has changed or deleted the environment
 * by now. The API calls it failed too, unless `changeFeature` starts over.
 */
interface Failure extends OutcomeFacts {
  kind: "failed" | "overtaken";
  error: ApiError;
}

/** How a request has ended in an environment. */
export type Outcome = NotFailed | Failure;

/** A write that is to be made, or how the request has ended in the environment without one. */
export type PlannedOutcome = PendingWrite | Outcome;

/** A planned outcome that may be written: `prepareWrites` has made items of the changes that a pending write drops. */
export type PreparedOutcome = (PendingWrite & { before: WritableState }) | Outcome;

/** Makes the outcome of an environment whose state is stored: after a write, or without one. */
export function storedOutcome(
  state: EnvironmentState,
  kind: NotFailed["kind"],
  { hint, moves }: Pick<OutcomeFacts, "hint" | "moves"> = {},
): NotFailed {
  return { kind, before: state, after: state, hint, moves };
}

export function failedWith(
  state: EnvironmentState,
  error: ApiError,
  kind: Failure["kind"] = "failed",
): Failure {
  return { kind, before: state, after: state, error };
}

export function isFailure(outcome: PlannedOutcome): outcome is Failure {
  return outcome.kind === "failed" || outcome.kind === "overtaken";
}

/** Whether the request's change is stored in some environment. */
export function isStoredSomewhere(outcomes: readonly PlannedOutcome[]): boolean {
  return outcomes.some(({ kind }) => kind === "patched" || kind === "already patched");
}

/** Makes the outcome of an environment before anything is done. */
export function initialOutcome({ state, ownChange }: TargetEnvironment): Outcome {
  return storedOutcome(state, ownChange ? "already patched" : "not attempted");
}
