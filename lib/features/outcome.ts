/** What becomes of a request in each environment. */
import type { ApiError } from "../contract/errors.ts";
import type { EnvironmentState, Found } from "./model.ts";

interface InEnvironment {
  /** Of an outcome that has ended, the same as `after`. */
  before: EnvironmentState;
  after: EnvironmentState;
  hint?: string | undefined;
}

declare const isWritable: unique symbol;

/** A state whose carried changes are items, if its next write drops them. Only `keepChanges` of a store returns one. */
export type WritableState = EnvironmentState & { readonly [isWritable]: true };

/** A write that is still to be made; a dry run ends with it. */
interface PendingWrite extends InEnvironment {
  kind: "pending";
}

interface NotFailed extends InEnvironment {
  /** `written`: during this attempt, by it or by a parallel retry. `already there`: before this attempt began. */
  kind: "written" | "already there" | "unchanged" | "not attempted";
}

interface Failure extends InEnvironment {
  kind: "failed";
  error: ApiError;
}

/** How a request has ended in an environment. */
export type Outcome = NotFailed | Failure;

/** A write that is to be made, or how the request has ended there without one. */
export type PlannedOutcome = PendingWrite | Outcome;

/** A planned outcome. If it is pending, the changes that its write drops are stored as items. */
export type WritableOutcome = (PendingWrite & { before: WritableState }) | Outcome;

/** The outcome of an environment whose state is stored: after a write, or without one. */
export function endedAs(state: EnvironmentState, kind: NotFailed["kind"], hint?: string): NotFailed {
  return { kind, before: state, after: state, hint };
}

export function failedWith(state: EnvironmentState, error: ApiError): Failure {
  return { kind: "failed", before: state, after: state, error };
}

/** The outcome before anything is done. */
export function asFound({ state, ownChange }: Found): Outcome {
  return endedAs(state, ownChange ? "already there" : "not attempted");
}
