/** What becomes of a request in each environment, how that is reported, and the error that it leads to. */
import { type ApiError, ConflictError, PreconditionFailed } from "../contract/errors.ts";
import type { Detail } from "../contract/responses.ts";
import type { VariantForm } from "../contract/variants.ts";
import type { EnvironmentState, Found } from "./feature.ts";
import { variantDifference } from "./variant-diff.ts";
import { toDocument } from "./variant-list.ts";

export interface Outcome {
  /**
   * `planned`: the write of `after` is next, or in a dry run is left out. `written`: since this attempt began.
   * `already there`: by an earlier attempt of the request.
   */
  kind: "planned" | "written" | "already there" | "unchanged" | "failed" | "not attempted";
  before: EnvironmentState;
  /** Differs from `before` only in what is planned or written. */
  after: EnvironmentState;
  hint?: string | undefined;
  error?: ApiError;
}

/** Callers see no difference between a write and one of an earlier attempt. */
const reported = {
  planned: "patched",
  written: "patched",
  "already there": "patched",
  unchanged: "unchanged",
  failed: "failed",
  "not attempted": "not attempted",
} as const;

/** The outcome where nothing is to be written, or nothing more. */
export function endedAs(
  state: EnvironmentState,
  kind: Outcome["kind"],
  rest: Pick<Outcome, "hint" | "error"> = {},
): Outcome {
  return { kind, before: state, after: state, ...rest };
}

/** The outcome as long as nothing is done. */
export function asFound({ state, ownChange }: Found): Outcome {
  return endedAs(state, ownChange ? "already there" : "not attempted");
}

export function toDetail({ kind, after: { environment }, error }: Outcome): Detail {
  return { environment, outcome: reported[kind], ...(error && reasonOf(error)) };
}

function reasonOf({ message, details }: ApiError) {
  return { message, ...(details && { issues: [...details] }) };
}

/** Whether some environment has the change of the request. */
export function hasChange(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ kind }) => kind === "written" || kind === "already there");
}

/** Throws the first error, with the environment that has failed and the outcome of each. */
export function requireSuccess(outcomes: readonly Outcome[]): void {
  for (const { after, error } of outcomes) {
    if (!error) continue;
    // A 412 means that this attempt has written nothing; after a write, a failed precondition is a conflict.
    const cause = error instanceof PreconditionFailed ? new ConflictError(error.message) : error;
    const message = `environment "${after.environment}": ${cause.message}`;
    throw cause.with({ message, details: outcomes.map(toDetail) });
  }
}

export function toPreview({ kind, before, after, hint, error }: Outcome, form: VariantForm) {
  const { environment, variants } = after;
  return {
    environment,
    outcome: reported[kind],
    variants: toDocument(variants, form),
    ...(error ? reasonOf(error) : { changes: variantDifference(before.variants, variants) }),
    ...(hint !== undefined && { hint }),
  };
}
