/** What becomes of a request in each environment, and how it is reported. */
import { type ApiError, ConflictError, PreconditionFailed } from "../contract/errors.ts";
import type { Detail } from "../contract/responses.ts";
import type { VariantForm } from "../contract/variants.ts";
import type { EnvironmentState, Found } from "./feature.ts";
import { variantDifference } from "./variant-diff.ts";
import { toDocument } from "./variant-list.ts";

export interface Outcome {
  /**
   * `pending`: planned and not yet written; a dry run ends with it. `written`: since this attempt began. `already
   * there`: by an earlier attempt.
   */
  kind: "pending" | "written" | "already there" | "unchanged" | "failed" | "not attempted";
  before: EnvironmentState;
  after: EnvironmentState;
  hint?: string | undefined;
  error?: ApiError;
}

/** As the contract calls them: callers do not see whether an earlier attempt has written. */
const contractOutcomes = {
  pending: "patched",
  written: "patched",
  "already there": "patched",
  unchanged: "unchanged",
  failed: "failed",
  "not attempted": "not attempted",
} as const;

/** Nothing is to be written, or nothing more. */
export function endedAs(
  state: EnvironmentState,
  kind: Outcome["kind"],
  rest: Pick<Outcome, "hint" | "error"> = {},
): Outcome {
  return { kind, before: state, after: state, ...rest };
}

/** The outcome before anything is done. */
export function asFound({ state, ownChange }: Found): Outcome {
  return endedAs(state, ownChange ? "already there" : "not attempted");
}

export function toDetail({ kind, after: { environment }, error }: Outcome): Detail {
  return { environment, outcome: contractOutcomes[kind], ...(error && reasonOf(error)) };
}

function reasonOf({ message, details }: ApiError) {
  return { message, ...(details && { issues: [...details] }) };
}

export function hasChange(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ kind }) => kind === "written" || kind === "already there");
}

export function requireSuccess(outcomes: readonly Outcome[]): void {
  for (const { after, error } of outcomes) {
    if (!error) continue;
    // `changeFeature` starts over unless something was written; after a write, a failed precondition is a conflict.
    const cause = error instanceof PreconditionFailed ? new ConflictError(error.message) : error;
    const message = `environment "${after.environment}": ${cause.message}`;
    throw cause.with({ message, details: outcomes.map(toDetail) });
  }
}

export function toPreview({ kind, before, after, hint, error }: Outcome, form: VariantForm) {
  const { environment, variants } = after;
  return {
    environment,
    outcome: contractOutcomes[kind],
    variants: toDocument(variants, form),
    ...(error ? reasonOf(error) : { changes: variantDifference(before.variants, variants) }),
    ...(hint !== undefined && { hint }),
  };
}
