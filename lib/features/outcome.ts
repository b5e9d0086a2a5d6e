/** What becomes of a request in each environment. */
import type { ApiError } from "../contract/errors.ts";
import type { EnvironmentState, Found } from "./model.ts";

interface InEnvironment {
  before: EnvironmentState;
  after: EnvironmentState;
  hint?: string | undefined;
}

declare const isKept: unique symbol;

/** A state whose next write drops no change that is not an item. Only `keepChanges` of a store returns one. */
export type KeptState = EnvironmentState & { readonly [isKept]: true };

/** A write that is still to be made; a dry run ends with it. */
interface PendingWrite extends InEnvironment {
  kind: "pending";
}

interface Success extends InEnvironment {
  /** `written` by this attempt, `already there` by an earlier attempt of the client. */
  kind: "written" | "already there" | "unchanged" | "not attempted";
}

interface Failure extends InEnvironment {
  kind: "failed";
  error: ApiError;
}

/** What has become of a request in an environment. */
export type Outcome = Success | Failure;

/** What a request is to write there, or why it need not or cannot. */
export type PlannedOutcome = PendingWrite | Outcome;

/** What is planned, and can be written. */
export type WritableOutcome = (PendingWrite & { before: KeptState }) | Outcome;

/** The outcome of an environment whose state is stored: after a write, or without one. */
export function endedAs(state: EnvironmentState, kind: Success["kind"], hint?: string): Success {
  return { kind, before: state, after: state, hint };
}

export function failedWith(state: EnvironmentState, error: ApiError): Failure {
  return { kind: "failed", before: state, after: state, error };
}

/** The outcome before anything is done. */
export function asFound({ state, ownChange }: Found): Outcome {
  return endedAs(state, ownChange ? "already there" : "not attempted");
}
