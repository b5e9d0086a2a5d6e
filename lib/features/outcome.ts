/** What becomes of a request in each environment. */
import type { ApiError } from "../contract/errors.ts";
import type { EnvironmentState, Found } from "./model.ts";

interface InEnvironment {
  before: EnvironmentState;
  after: EnvironmentState;
  hint?: string | undefined;
}

declare const isKept: unique symbol;

/** A state whose carried changes are items, if its next write drops them. Only `keepChanges` of a store returns one. */
export type KeptState = EnvironmentState & { readonly [isKept]: true };

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

/** What has become of a request in an environment. */
export type Outcome = NotFailed | Failure;

/** What a request is to write there, or why it need not or cannot. */
export type PlannedOutcome = PendingWrite | Outcome;

/** What is planned. If it is a write, no change is lost by it. */
export type KeptOutcome = (PendingWrite & { before: KeptState }) | Outcome;

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
