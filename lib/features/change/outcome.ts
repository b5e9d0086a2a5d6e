/** The outcomes of a request: how planning, and then writing, ends in each environment. */
import type { ApiError } from "../../contract/errors.ts";
import type { EnvironmentChange, EnvironmentState } from "../model.ts";
import type { Moves } from "../moves/move-types.ts";
import { isFull } from "./next-state.ts";

interface OutcomeFacts {
  /** The state on which this attempt's write is planned. In an outcome as found, the state found. */
  before: EnvironmentState;
  /** The state that this write leaves. The same as `before` if the outcome is as found, or has failed. */
  after: EnvironmentState;
  hint?: string | undefined;
  /**
   * The users to whom the request gives something else, in this attempt or an earlier one: none where it is `unchanged`.
   * Undefined if they are not known.
   */
  moves?: Moves | undefined;
  /** The request's change, where it was found after a conflict: this attempt may have made it, or a parallel one. */
  ownChange?: EnvironmentChange;
  /** Why the request has failed here. An outcome has an error exactly if it is a `FailedOutcome`. */
  error?: ApiError | undefined;
}

declare const isWritable: unique symbol;

/** A state that may be written: what must precede the write is stored. Only `needsNoPreparation` and a store make one. */
export type WritableState = EnvironmentState & { readonly [isWritable]: true };

/** The write is still to be made. A dry run ends with this outcome. */
interface PendingOutcome extends OutcomeFacts {
  kind: "pending";
  error?: undefined;
}

interface WrittenOutcome extends OutcomeFacts {
  /**
   * `written`: this attempt has written, or a parallel one since this attempt read. `already written`: the own change
   * was stored when this attempt read.
   */
  kind: "written" | "already written";
  error?: undefined;
}

interface UnwrittenOutcome extends OutcomeFacts {
  kind: "unchanged" | "not attempted";
  error?: undefined;
}

interface FailedOutcome extends OutcomeFacts {
  /**
   * `overtaken`: If-Match lists the ETag that was read, and a concurrent request has changed or deleted the environment
   * since. `changeFeature` starts over then, unless this attempt has written elsewhere.
   */
  kind: "failed" | "overtaken";
  error: ApiError;
}

/** How a request has ended in an environment. */
export type EndedOutcome = WrittenOutcome | UnwrittenOutcome | FailedOutcome;

/** What is planned in an environment, while it is pending, or how the request has ended there. */
export type Outcome = PendingOutcome | EndedOutcome;

/** An outcome that has ended, or may be written: all that must precede its write is stored. */
export type PreparedOutcome = (PendingOutcome & { before: WritableState }) | EndedOutcome;

/** Whether nothing has to be stored before the write: it drops no change, and no trip has to find its change. */
export function needsNoPreparation(outcome: Outcome): outcome is PreparedOutcome {
  const { kind, before, after } = outcome;
  return kind !== "pending" || !(isFull(before) || after.carried[0]?.guard);
}

/** Makes the outcome of an environment that is as this attempt found it: with the own change, or without a write. */
export function outcomeAsFound(
  state: EnvironmentState,
  kind: (WrittenOutcome | UnwrittenOutcome)["kind"],
  { hint, moves }: Pick<OutcomeFacts, "hint" | "moves"> = {},
): WrittenOutcome | UnwrittenOutcome {
  return { kind, before: state, after: state, hint, moves };
}

export function failedOutcome(
  state: EnvironmentState,
  error: ApiError,
  kind: FailedOutcome["kind"] = "failed",
): FailedOutcome {
  return { kind, before: state, after: state, error };
}

/** Makes the outcome of an environment that the attempt does not reach. What an earlier attempt has written stays. */
export function outcomeIfNotReached(planned: Outcome): EndedOutcome {
  return planned.kind === "already written" ? planned : outcomeAsFound(planned.before, "not attempted");
}
