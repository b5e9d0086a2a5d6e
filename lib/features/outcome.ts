/** What becomes of a request in each environment, and how it is reported. */

import type { Detail } from "../contract/error-body.ts";
import { type ApiError, ConflictError, PreconditionFailed } from "../contract/errors.ts";
import type { VariantForm } from "../contract/variants.ts";
import type { EnvironmentState, Found } from "./model.ts";
import { variantDifference } from "./variant-diff.ts";
import { toForm } from "./variant-form.ts";

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
  /** `written`: since this request arrived. `already there`: by an earlier attempt of the client. */
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

/** As the API calls them: callers do not see whether an earlier attempt has written. */
const namesInApi = {
  pending: "patched",
  written: "patched",
  "already there": "patched",
  unchanged: "unchanged",
  failed: "failed",
  "not attempted": "not attempted",
} as const;

/** An end without a write, or after it: the state is what is stored now. */
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

export function toDetail(outcome: PlannedOutcome): Detail {
  const { kind, after } = outcome;
  return {
    environment: after.environment,
    outcome: namesInApi[kind],
    ...(kind === "failed" && reasonOf(outcome.error)),
  };
}

function reasonOf({ message, details }: ApiError) {
  return { message, ...(details && { issues: [...details] }) };
}

export function hasChange(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ kind }) => kind === "written" || kind === "already there");
}

export function requireSuccess(outcomes: readonly PlannedOutcome[]): void {
  const failed = outcomes.find((outcome) => outcome.kind === "failed");
  if (!failed) return;
  const { after, error } = failed;
  // `changeFeature` starts over unless something was written; after a write, a failed precondition is a conflict.
  const cause = error instanceof PreconditionFailed ? new ConflictError(error.message) : error;
  const message = `environment "${after.environment}": ${cause.message}`;
  throw cause.with({ message, details: outcomes.map(toDetail) });
}

export function toPreview(outcome: PlannedOutcome, form: VariantForm) {
  const { kind, before, after, hint } = outcome;
  const { environment, enabled, variants } = after;
  return {
    environment,
    outcome: namesInApi[kind],
    ...(enabled !== before.enabled && { enabled }),
    variants: toForm(variants, form),
    ...(kind === "failed"
      ? reasonOf(outcome.error)
      : { changes: variantDifference(before.variants, variants) }),
    ...(hint !== undefined && { hint }),
  };
}
