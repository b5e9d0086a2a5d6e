/** Reports outcomes: as details, as bodies of responses, and as one error. */
import type { Detail } from "../../contract/error-body.ts";
import { type ApiError, ConflictError, PreconditionFailed } from "../../contract/errors.ts";
import type { SwitchedEnvironment } from "../../contract/responses.ts";
import type { Variant, VariantForm } from "../../contract/variants.ts";
import type { EnvironmentContent, States, StrategyRoot } from "../model.ts";
import { roundMoves } from "../moves/moves.ts";
import { contentDifference } from "../patch/differences.ts";
import { toDocument } from "../patch/environment-form.ts";
import { toForm } from "../patch/variant-form.ts";
import type { Stamp } from "../stamp.ts";
import type { PlannedOutcome } from "./outcome.ts";

/** What the API calls them. Only a dry run ends with a pending write. */
const namesInApi = {
  pending: "would patch",
  written: "patched",
  "already there": "already patched",
  unchanged: "unchanged",
  failed: "failed",
  "not attempted": "not attempted",
} as const;

export function toDetail(outcome: PlannedOutcome) {
  const { kind, after } = outcome;
  return {
    environment: after.environment,
    outcome: namesInApi[kind],
    ...(kind === "failed" && reasonOf(outcome.error)),
  } satisfies Detail;
}

function reasonOf({ code, message, details }: ApiError) {
  return { ...(code && { code }), message, ...(details && { issues: [...details] }) };
}

export function hasChange(outcomes: readonly PlannedOutcome[]): boolean {
  return outcomes.some(({ kind }) => kind === "written" || kind === "already there");
}

/** The error names the change if some environment has it. */
export function requireSuccess(outcomes: readonly PlannedOutcome[], { id }: Stamp): void {
  const failed = outcomes.find((outcome) => outcome.kind === "failed");
  if (!failed) return;
  const { after, error } = failed;
  // `changeFeature` starts over unless something was written; after a write, a failed precondition is a conflict.
  const cause =
    error instanceof PreconditionFailed ? new ConflictError(error.message, { code: error.code }) : error;
  const message = `environment "${after.environment}": ${cause.message}`;
  const change = hasChange(outcomes) ? id : cause.change;
  throw cause.with({ message, details: outcomes.map(toDetail), change });
}

export function toVariantsPreview(outcome: PlannedOutcome, form: VariantForm) {
  return { ...toPreview(outcome), variants: toForm(outcome.after.variants, form) };
}

/** What a dry run shows of an environment, whatever the request changes. */
function toPreview(outcome: PlannedOutcome) {
  const { kind, before, after, hint, moves } = outcome;
  return {
    ...toDetail(outcome),
    ...(kind !== "failed" && { difference: contentDifference(before, after) }),
    ...(moves && { moves: roundMoves(moves) }),
    ...(hint !== undefined && { hint }),
  };
}

/**
 * What a body shows: the switch or all that it has of every environment, the variants of the first in this form, or one
 * strategy of it.
 */
export type Shown = "switch" | "environment" | Pick<StrategyRoot, "strategy"> | VariantForm;

export function bodyOfPreview(outcomes: readonly PlannedOutcome[], shown: Shown): object {
  if (shown === "switch") return { version: 1, environments: outcomes.map(toSwitchPreview) };
  if (shown === "environment" || typeof shown === "object") {
    return { version: 1, environments: outcomes.map(toEnvironmentPreview) };
  }
  return {
    ...bodyAfter(outcomes, shown),
    environments: outcomes.map((one) => toVariantsPreview(one, shown)),
  };
}

export function bodyAfter(outcomes: readonly PlannedOutcome[], shown: Shown): object {
  if (shown === "switch") return { version: 1, environments: outcomes.map(toSwitched) };
  const after = outcomes.map((outcome) => outcome.after);
  if (shown === "environment") return { version: 1, environments: after.map(toPatched) };
  if (typeof shown === "object") {
    return after.flatMap(({ strategies }) => strategies).find(({ id }) => id === shown.strategy) ?? {};
  }
  return variantsBody(after, shown);
}

function toPatched(content: EnvironmentContent & { environment: string }) {
  return { environment: content.environment, ...toDocument(content) };
}

function toEnvironmentPreview(outcome: PlannedOutcome) {
  return { ...toPatched(outcome.after), ...toPreview(outcome) };
}

function toSwitchPreview(outcome: PlannedOutcome): SwitchedEnvironment {
  return { ...toSwitched(outcome), ...toPreview(outcome) };
}

function toSwitched({ after: { environment, enabled } }: PlannedOutcome): SwitchedEnvironment {
  return { environment, enabled };
}

/** All of the one environment that was read. */
export function environmentBody([state]: States) {
  return state && { version: 1, ...toPatched(state) };
}

/** The variants of the first environment. */
export function variantsBody([first]: readonly { variants: Variant[] }[], form: VariantForm) {
  return { version: 1, ...formOf(form), variants: toForm(first?.variants ?? [], form) };
}

/** A body by name says so; generated clients distinguish the two forms by it. */
export function formOf(form: VariantForm) {
  return form === "name" && { by: form };
}
